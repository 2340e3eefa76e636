package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
)

// Exit codes, for scripts.
const (
	exitOK     = 0
	exitNo     = 1 // a plan has faults, or a capacity was not met
	exitUsage  = 2
	exitInput  = 3  // a file cannot be read, or what it holds cannot be planned
	exitOutput = 4  // what was asked for could not be written
	exitFault  = 70 // tolkplan itself is at fault
)

const exitCodesHelp = `
Exit codes: 0 done; 1 a plan has faults, or a capacity was not met; 2 wrong usage; 3 an input cannot be read or planned; 4 an output cannot be written.
`

// usageError is that the program was called wrongly.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usage(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// outputError is that something could not be written.
type outputError struct{ error }

func (e *outputError) Unwrap() error { return e.error }

// errFaults is that a plan has faults, which were written already.
var errFaults = errors.New("the plan has faults")

func exitCode(err error) int {
	var wrong *usageError
	var setting *solve.SettingError
	var unmet *solve.Unmet
	var output *outputError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFaults), errors.As(err, &unmet):
		return exitNo
	case errors.As(err, &wrong), errors.As(err, &setting):
		return exitUsage
	case errors.As(err, &output):
		return exitOutput
	}
	return exitInput
}

// errorText is an error as JSON.
type errorText struct {
	Message string       `json:"message"`
	File    string       `json:"file,omitempty"`
	Line    int          `json:"line,omitempty"`
	Column  int          `json:"column,omitempty"`
	Byte    *int64       `json:"byte,omitempty"`
	Unmet   *solve.Unmet `json:"unmet,omitempty"`
	Exit    int          `json:"exit"`
}

// report writes an error for a person or, as JSON, for a program.
func (a *app) report(err error) {
	if errors.Is(err, errFaults) {
		return
	}
	if !a.json {
		say(a.err, "tolkplan: %v\n", errors.New(clipped(err.Error())))
		return
	}
	text := errorText{Message: clipped(err.Error()), Exit: exitCode(err)}
	var fault *read.Error
	if errors.As(err, &fault) {
		text.File, text.Line, text.Column = fault.File, fault.Line, fault.Column
		if fault.Byte >= 0 {
			text.Byte = &fault.Byte
		}
	}
	errors.As(err, &text.Unmet)
	line, _ := json.Marshal(map[string]any{"error": text}) // of strings and numbers only
	fmt.Fprintf(a.err, "%s\n", line)
}

// writeJSON writes a value to out.
func (a *app) writeJSON(v any) error {
	encoder := json.NewEncoder(a.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
