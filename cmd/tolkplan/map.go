package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"libtolk_memory/cmd/tolkplan/internal/picture"
	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
)

// sketchHeight is how many lines the sketch of an arena has.
const sketchHeight = 24

func (a *app) mapCommand() *cobra.Command {
	var p planning
	var output, form string
	var placers []string
	c := &cobra.Command{
		Use:   "map FILE",
		Short: "Draw a plan: bytes against time, each buffer at its place",
		Long: `Map draws the arenas of a plan as space against time: each buffer a box at its place, for as long as it lives.

The form goes by the name of the output: .html is one page that needs no network, to explore a plan with; .svg is for documents, .txt for
terminals, and .json a trace for Chrome's and Perfetto's viewers. Without an output a sketch is written to the terminal, with --json the trace.

A file that holds a plan is drawn as it is planned, with the plans of --placers beside it.`,
		Example: `  tolkplan map schedule.json -o map.html
  tolkplan map model.tflite --placers best`,
		Args: files(1, 1),
		RunE: func(c *cobra.Command, paths []string) error {
			return a.drawMap(c.Context(), &p, placers, paths[0], output, form)
		},
	}
	p.reading.add(c.Flags())
	p.addBounds(c)
	c.Flags().StringSliceVar(&placers, "placers", []string{"tlsf", "best"}, "`NAMES` of placers whose plans are drawn; a page switches between them")
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` to draw to: .html, .svg, .txt or .json; - for standard output")
	c.Flags().StringVar(&form, "form", "", "`FORM` where the output's name does not tell: html, svg, txt or json")
	complete(c, "placers", "tlsf", "best", "first-fit", "best-fit")
	complete(c, "form", "html", "svg", "txt", "json")
	return c
}

func (a *app) drawMap(ctx context.Context, p *planning, placers []string, path, output, form string) error {
	if a.json && output == "" && form == "" {
		form = "json"
	}
	draw, err := a.drawer(output, form)
	if err != nil {
		return err
	}
	w, s, err := a.onlyWorkWith(p, path)
	if err != nil {
		return err
	}
	if len(placers) == 0 {
		return usage("--placers names none")
	}
	plans, err := a.plansToDraw(ctx, w, s, placers)
	if err != nil {
		return err
	}
	if output == "" {
		output = read.Stdin
	}
	if strings.EqualFold(filepath.Ext(output), ".html") || form == "html" { // a page switches between them; elsewhere it only takes room
		plans = append(plans, plans[0].Unplanned())
		a.warnOfLargePage(output, buffers(plans[0]))
	}
	return a.toFile(output, func(to io.Writer) error { return draw(to, pictureOf(w, plans)) })
}

// plansToDraw are the plan that a work holds, if any, and those of some placers.
func (a *app) plansToDraw(ctx context.Context, w *read.Work, s solve.Settings, placers []string) ([]*solve.Plan, error) {
	own, err := a.given(w, &s)
	if err != nil {
		return nil, err
	}
	s.Anew = s.Anew || own != nil // the placers' own plans, not the file's again
	plans, err := a.plansBy(ctx, w, s, placers)
	if own != nil {
		plans = append([]*solve.Plan{own}, plans...)
	}
	return plans, err
}

// drawTo draws plans in the form that the name of a file asks for.
func (a *app) drawTo(output string, w *read.Work, plans []*solve.Plan) error {
	draw, err := a.drawer(output, "")
	if err != nil {
		return err
	}
	return a.toFile(output, func(to io.Writer) error { return draw(to, pictureOf(w, plans)) })
}

// drawer is what draws a picture in the form that an output's name, or form, asks for.
func (a *app) drawer(output, form string) (func(io.Writer, picture.Picture) error, error) {
	if forms := []string{"html", "svg", "txt", "json"}; form != "" && !slices.Contains(forms, form) {
		return nil, usage("--form is %q; it must be one of %q", form, forms)
	}
	if form == "" {
		form = strings.TrimPrefix(strings.ToLower(filepath.Ext(output)), ".")
	}
	switch {
	case form == "html":
		return picture.HTML, nil
	case form == "svg":
		return picture.SVG, nil
	case form == "json":
		return picture.Trace, nil
	case form == "txt", output == "", output == read.Stdin:
		return a.sketch, nil
	}
	return nil, usage("-o %s: a map is drawn as .html, .svg, .txt or .json", output)
}

// sketch draws as wide as the terminal.
func (a *app) sketch(w io.Writer, p picture.Picture) error {
	return picture.Text(w, p, max(a.width, picture.MinWidth), sketchHeight)
}

const (
	largePage      = 200_000 // buffers from which on browsers take their time
	bytesOfABuffer = 100     // of a page that draws two plans
)

// warnOfLargePage says that a page will be large, before it is drawn.
func (a *app) warnOfLargePage(output string, buffers int) {
	if buffers > largePage {
		say(a.err, "tolkplan: %s: a page of %d buffers has about %d MB, which browsers are slow with; an .svg is a tenth of that\n", output, buffers, buffers*bytesOfABuffer/1e6)
	}
}
