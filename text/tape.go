package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Error is what is wrong with a text, and where.
type Error struct {
	Offset       int // byte, from 0
	Line, Column int // from 1; the column counts bytes
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d (byte %d): %s", e.Line, e.Column, e.Offset, e.Message)
}

// value is a place on a tape.
type value int

// cell is one JSON value: an array or object is followed by what it holds, up to end.
type cell struct {
	token  any // json.Delim, string, json.Number, bool or nil
	offset int
	end    value // the place after the value and all it holds
}

// tape is a JSON text as a list of its values in order, so that reading it needs no recursion.
type tape struct {
	text  []byte
	cells []cell
}

// readTape is the tape of a text that holds one JSON value.
func readTape(text []byte) (*tape, error) {
	t := &tape{text: text}
	if at := invalidUTF8(text); at >= 0 {
		return nil, t.fail(at, "the text is not valid UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var open []value
	for {
		offset := t.skip(int(decoder.InputOffset()), space+",:")
		token, err := decoder.Token()
		if err != nil {
			return nil, t.syntaxError(err, t.skip(int(decoder.InputOffset()), space))
		}
		if s, ok := token.(string); ok && strings.ContainsRune(s, utf8.RuneError) {
			if at := loneSurrogate(text[offset:decoder.InputOffset()]); at >= 0 {
				return nil, t.fail(offset+at, "half a surrogate pair stands alone; write the character, or both halves")
			}
		}
		if d, ok := token.(json.Delim); ok && (d == ']' || d == '}') {
			t.cells[open[len(open)-1]].end = value(len(t.cells))
			open = open[:len(open)-1]
		} else {
			at := value(len(t.cells))
			t.cells = append(t.cells, cell{token, offset, at + 1})
			if ok {
				open = append(open, at)
			}
		}
		if len(open) == 0 {
			return t, t.checkEnd(int(decoder.InputOffset()))
		}
	}
}

// loneSurrogate is where a JSON string has an escape for half a character, -1 if nowhere. The decoder reads one as U+FFFD, so that
// names that differ would become one.
func loneSurrogate(quoted []byte) int {
	for at := 0; at < len(quoted); at++ {
		if quoted[at] != '\\' {
			continue
		}
		if first, ok := escaped(quoted[at:]); ok && utf16.IsSurrogate(first) {
			second, _ := escaped(quoted[at+6:])
			if utf16.DecodeRune(first, second) == utf8.RuneError {
				return at
			}
			at += 6
		}
		at++ // what is escaped may be a backslash
	}
	return -1
}

// escaped is the number of an escape, \u and four digits, at the start of a text.
func escaped(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; ; {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
}

// space is what may stand between tokens.
const space = " \t\r\n"

// skip is the first offset from at on of a byte that is not among the skipped.
func (t *tape) skip(at int, skipped string) int {
	for at < len(t.text) && strings.IndexByte(skipped, t.text[at]) >= 0 {
		at++
	}
	return at
}

func (t *tape) checkEnd(at int) error {
	if at = t.skip(at, space); at < len(t.text) {
		return t.fail(at, "there is more text behind the value")
	}
	return nil
}

// syntaxError is an error of the decoder in the token at a place. What the error says of its own place does not count all tokens.
func (t *tape) syntaxError(err error, at int) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return t.fail(len(t.text), "the text ends too early")
	}
	return t.fail(at, "%v", err)
}

func (t *tape) fail(offset int, format string, args ...any) *Error {
	before := t.text[:min(offset, len(t.text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	return &Error{
		Offset: offset, Line: line, Column: offset - bytes.LastIndexByte(before, '\n'),
		Message: fmt.Sprintf(format, args...),
	}
}

// failAt is an error at a value.
func (t *tape) failAt(v value, format string, args ...any) *Error {
	return t.fail(t.cells[v].offset, format, args...)
}

// kindOf is what messages call a value.
func (t *tape) kindOf(v value) string {
	switch token := t.cells[v].token.(type) {
	case json.Delim:
		if token == '[' {
			return "an array"
		}
		return "an object"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}

func (t *tape) isArray(v value) bool { return t.cells[v].token == json.Delim('[') }

func (t *tape) isObject(v value) bool { return t.cells[v].token == json.Delim('{') }

// items is the values of an array.
func (t *tape) items(v value, what string) ([]value, error) {
	if !t.isArray(v) {
		return nil, t.failAt(v, "%s is %s; it must be an array", what, t.kindOf(v))
	}
	var list []value
	for at := v + 1; at < t.cells[v].end; at = t.cells[at].end {
		list = append(list, at)
	}
	return list, nil
}

// fields is the values of an object by its keys, which must be among allowed.
func (t *tape) fields(v value, what string, allowed ...string) (map[string]value, error) {
	if !t.isObject(v) {
		return nil, t.failAt(v, "%s is %s; it must be an object", what, t.kindOf(v))
	}
	found := make(map[string]value)
	for key := v + 1; key < t.cells[v].end; key = t.cells[key+1].end {
		name := t.cells[key].token.(string)
		if !slices.Contains(allowed, name) {
			return nil, t.failAt(key, "key %q is not known in %s; it has %q", name, what, allowed)
		}
		if _, twice := found[name]; twice {
			return nil, t.failAt(key, "key %q stands twice in %s", name, what)
		}
		found[name] = key + 1
	}
	return found, nil
}

func (t *tape) integer(v value, what string) (int64, error) {
	number, ok := t.cells[v].token.(json.Number)
	if !ok {
		return 0, t.failAt(v, "%s is %s; it must be an integer", what, t.kindOf(v))
	}
	i, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil {
		return 0, t.failAt(v, "%s is %s; it must be an integer of 64 bits", what, number)
	}
	return i, nil
}

func (t *tape) str(v value, what string) (string, error) {
	s, ok := t.cells[v].token.(string)
	if !ok {
		return "", t.failAt(v, "%s is %s; it must be a string", what, t.kindOf(v))
	}
	return s, nil
}

func (t *tape) boolean(v value, what string) (bool, error) {
	b, ok := t.cells[v].token.(bool)
	if !ok {
		return false, t.failAt(v, "%s is %s; it must be true or false", what, t.kindOf(v))
	}
	return b, nil
}

// choice is the place of a string among names.
func (t *tape) choice(v value, what string, names ...string) (int, error) {
	s, err := t.str(v, what)
	if err != nil {
		return 0, err
	}
	if i := slices.Index(names, s); i >= 0 {
		return i, nil
	}
	return 0, t.failAt(v, "%s is %q; it must be one of %q", what, s, names)
}
