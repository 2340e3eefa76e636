package picture

import (
	"bufio"
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

//go:embed svg.css
var svgStyle string

// Measures of an SVG, in its user units.
const (
	svgWidth  = 960
	svgLeft   = 76 // where the axes stand
	svgRight  = 20
	plotWidth = svgWidth - svgLeft - svgRight
	titleRoom = 44
	headRoom  = 40 // the names of a plan and its arena, and its size
	loadRoom  = 46
	gap       = 12
	axisRoom  = 44
	legend    = 40
	mostPlot  = 360
	leastPlot = 90
)

// SVG writes the picture as one image: the arenas of all plans below each other, on one scale of bytes where that leaves each
// of them visible. It is light or dark as the reader prefers. Buffers smaller than a pixel share one.
func SVG(w io.Writer, p Picture) error {
	d := drawing{Writer: bufio.NewWriter(w), picture: &p, classes: newClasses(&p)}
	panels := d.panels()
	height := float64(titleRoom + legend)
	for _, panel := range panels {
		height += panel.height()
	}
	d.begin(height)
	y := float64(titleRoom)
	for _, panel := range panels {
		panel.draw(y)
		y += panel.height()
	}
	d.legend(y)
	d.WriteString("</svg>\n")
	return d.Flush()
}

type drawing struct {
	*bufio.Writer
	picture *Picture
	classes classes
}

// panels is the arenas with how high each is drawn.
func (d *drawing) panels() []panel {
	var panels []panel
	top := 0.0
	for i := range d.picture.Plans {
		plan := &d.picture.Plans[i]
		for j := range plan.Arenas {
			a := &plan.Arenas[j]
			x := a.extent(len(d.picture.Entries))
			top = max(top, x.top)
			panels = append(panels, panel{drawing: d, extent: x, plan: plan, arena: a})
		}
	}
	for i := range panels {
		panels[i].plot = max(math.Round(mostPlot*panels[i].top/top), leastPlot)
	}
	return panels
}

func (d *drawing) begin(height float64) {
	title := printable(d.picture.Title, 90)
	if title == "" {
		title = "Memory plan"
	}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" role="img" aria-labelledby="title desc">`+"\n", svgWidth, height)
	fmt.Fprintf(d, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", escaped(title), escaped(d.describe()))
	fmt.Fprintf(d, "<style>\n%s</style>\n", svgStyle)
	d.WriteString(`<defs><pattern id="held" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0v6"/></pattern></defs>` + "\n")
	fmt.Fprintf(d, `<rect class="page" width="%d" height="%.0f"/>`+"\n", svgWidth, height)
	fmt.Fprintf(d, `<text class="title" x="%d" y="30">%s</text>`+"\n", svgLeft, escaped(title))
}

// describe says in words what the image shows.
func (d *drawing) describe() string {
	if len(d.picture.Plans) == 0 {
		return "Nothing was planned."
	}
	words := []string{"Bytes of arenas against the entries of a schedule, a box a buffer."}
	for i := range d.picture.Plans {
		plan := &d.picture.Plans[i]
		for j := range plan.Arenas {
			a := &plan.Arenas[j]
			words = append(words, fmt.Sprintf("%s: %s, %s, %s.", printable(caption(plan, a), 60), bytesText(float64(a.Size)), a.above(), count(len(a.Buffers), "buffer")))
			if len(words) > 20 {
				return strings.Join(append(words, "And so on."), " ")
			}
		}
	}
	return strings.Join(words, " ")
}

// legend tells what the colours mean.
func (d *drawing) legend(y float64) {
	fmt.Fprintf(d, `<text class="small" x="%d" y="%.0f">%s</text>`+"\n", svgLeft, y+17, classesTitle)
	x := float64(svgLeft + 120)
	for class := range classCount {
		name := d.classes.name(class)
		if name == "" {
			continue
		}
		fmt.Fprintf(d, `<rect class="c%d" x="%.0f" y="%.0f" width="12" height="12" rx="2"/><text class="small" x="%.0f" y="%.0f">%s</text>`+"\n", class, x, y+7, x+18, y+17, name)
		x += 38 + 6*float64(len([]rune(name)))
	}
	if d.holds() {
		fmt.Fprintf(d, `<rect class="frame" x="%.0f" y="%.0f" width="12" height="12"/><rect fill="url(#held)" x="%.0f" y="%.0f" width="12" height="12"/><text class="small" x="%.0f" y="%.0f">held</text>`+"\n",
			x, y+7, x, y+7, x+18, y+17)
	}
}

// holds reports whether a buffer is held.
func (d *drawing) holds() bool {
	isHeld := func(b Buffer) bool { return b.Held }
	return slices.ContainsFunc(d.picture.Plans, func(p Plan) bool {
		return slices.ContainsFunc(p.Arenas, func(a Arena) bool { return slices.ContainsFunc(a.Buffers, isHeld) })
	})
}

// escaped is text fit for XML.
func escaped(text string) string {
	var out strings.Builder
	// A strings.Builder returns no error.
	_ = xml.EscapeText(&out, []byte(text))
	return out.String()
}
