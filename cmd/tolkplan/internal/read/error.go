package read

import (
	"errors"
	"fmt"

	"libtolk_memory/text"
)

// Error is what is wrong with a file, and where.
type Error struct {
	File         string
	Line, Column int   // from 1; 0 where the file has no lines
	Byte         int64 // from 0; -1 where it is not known
	Message      string
}

func (e *Error) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	case e.Byte >= 0:
		return fmt.Sprintf("%s: byte %d: %s", e.File, e.Byte, e.Message)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Message)
}

// failure is an error about a file as a whole.
func failure(file, format string, args ...any) *Error {
	return &Error{File: file, Byte: -1, Message: fmt.Sprintf(format, args...)}
}

// failureAt is an error at a byte of a file that has no lines.
func failureAt(file string, at int64, format string, args ...any) *Error {
	return &Error{File: file, Byte: at, Message: fmt.Sprintf(format, args...)}
}

// inText is an error of package text, or any other, in a part of data that starts at a byte.
func inText(file string, data []byte, from int, err error) error {
	var fault *text.Error
	if !errors.As(err, &fault) {
		return failure(file, "%v", err)
	}
	return atByte(file, data, from+fault.Offset, "%s", fault.Message)
}

// atByte is an error at a byte of a text.
func atByte(file string, data []byte, at int, format string, args ...any) *Error {
	line, column := 1, 1
	for _, c := range data[:min(at, len(data))] {
		column++
		if c == '\n' {
			line, column = line+1, 1
		}
	}
	return &Error{File: file, Line: line, Column: column, Byte: int64(at), Message: fmt.Sprintf(format, args...)}
}
