// Tolkplan plans the memory of machine-learning schedules and models, and shows where it goes.
//
// docs/tolkplan.md tells what each command is for.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	go func() {
		<-ctx.Done()
		stop() // the first interrupt ends a search with the best plan so far, the second ends the program
	}()
	a := &app{out: os.Stdout, err: os.Stderr, now: time.Now, watched: term.IsTerminal(int(os.Stderr.Fd())), width: width(os.Stdout)}
	os.Exit(a.run(ctx, os.Args[1:]))
}

// app is what commands write to and what they know of the world.
type app struct {
	out, err io.Writer
	now      func() time.Time
	watched  bool // whether a person sees err as it is written
	width    int  // of the terminal that out is, in cells
	json     bool
}

// defaultWidth is how wide sketches are where no terminal says.
const defaultWidth = 100

func width(f *os.File) int {
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return defaultWidth
}

// version is that of the library it comes with.
const version = "0.1.0"

// run is the exit code of the program with some arguments.
func (a *app) run(ctx context.Context, args []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(a.err, "tolkplan: this is a fault of tolkplan, please report it: %v\n%s", fault, debug.Stack())
			code = exitFault
		}
	}()
	a.json = slices.Contains(args, "--json") // so that an error in the flags is JSON too
	out := &lasting{to: a.out}
	a.out = out
	root := a.command()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if out.err != nil {
		err = &outputError{out.err}
	}
	if err != nil {
		a.report(err)
	}
	return exitCode(err)
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "tolkplan",
		Short: "Plan the memory of machine-learning schedules and models, and see where it goes",
		Long: `Tolkplan plans the memory of machine-learning schedules and models: which buffers can share bytes of one allocation a device.

It reads schedules and lifetimes as JSON (.json, .jsonl), lifetimes as CSV, and models of TensorFlow Lite (.tflite) and ONNX (.onnx), each
also gzipped; "-" is standard input.`,
		Example: `  tolkplan plan model.onnx --dim batch=1 --placer best
  tolkplan map schedule.json -o map.html
  tolkplan explain schedule.json`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("there is no command %q; see tolkplan --help", args[0])
			}
			return c.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&a.json, "json", a.json, "write JSON, errors too")
	root.AddCommand(a.planCommand(), a.mapCommand(), a.explainCommand(), a.compareCommand(), a.verifyCommand(), a.genCommand(), a.demoCommand())
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	beStrict(root)
	root.SetHelpTemplate(root.HelpTemplate() + exitCodesHelp)
	return root
}

// flagError is an error of a command's flags.
func flagError(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &value) && errors.As(err, &number) {
		err = fmt.Errorf("--%s is %q: %w", value.GetFlag().Name, value.GetValue(), number.Err)
	}
	return usage("%v; see %s --help", err, c.CommandPath())
}

// beStrict makes errors of shells and of commands that there are not, for which cobra's own commands show a help text.
func beStrict(root *cobra.Command) {
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = knownCommand
		case "completion":
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(c *cobra.Command, _ []string) error {
				return usage("%s takes one of: bash, zsh, fish, powershell", c.CommandPath())
			}
			for _, shell := range c.Commands() {
				shell.Args = files(0, 0)
			}
		}
	}
}

func knownCommand(c *cobra.Command, path []string) error {
	_, rest, err := c.Root().Find(path)
	if err != nil || len(rest) > 0 {
		return usage("there is no command %q; see tolkplan --help", strings.Join(path, " "))
	}
	return nil
}
