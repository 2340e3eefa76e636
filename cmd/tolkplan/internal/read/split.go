package read

import (
	"bytes"
	"encoding/json"
)

// span is the bytes [from, to) of a text.
type span struct{ from, to int }

// document is a JSON value of a text that may hold several, and where the values of its outermost keys are.
type document struct {
	span
	keys map[string]span
}

// split is where the JSON values of a text are, one behind the other. It finds their ends and no more: what stands in the values of keys is
// for their readers to judge. Depth costs nothing.
func split(file string, data []byte) ([]document, error) {
	s := splitter{file: file, data: data, at: len(data) - len(withoutMark(data))}
	var all []document
	for s.skip(); s.at < len(data); s.skip() {
		d, err := s.document()
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

type splitter struct {
	file string
	data []byte
	at   int
}

// skip goes to what is no space.
func (s *splitter) skip() {
	for s.at < len(s.data) && isSpace(s.data[s.at]) {
		s.at++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (s *splitter) unexpected(want string) error {
	if s.at >= len(s.data) {
		return atByte(s.file, s.data, len(s.data), "the text ends too early")
	}
	return atByte(s.file, s.data, s.at, "%q stands where there must be %s", s.data[s.at], want)
}

func (s *splitter) document() (document, error) {
	d := document{span: span{from: s.at}, keys: map[string]span{}}
	var err error
	if s.data[s.at] == '{' {
		err = s.object(d.keys)
	} else {
		err = s.value()
	}
	d.to = s.at
	return d, err
}

// object goes behind an object and finds its values.
func (s *splitter) object(keys map[string]span) error {
	s.at++
	if s.take('}') {
		return nil
	}
	for {
		key, err := s.key()
		if err != nil {
			return err
		}
		s.skip()
		from := s.at
		if err := s.value(); err != nil {
			return err
		}
		keys[key] = span{from, s.at}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return s.unexpected("a comma or }")
		}
	}
}

// take goes behind a byte if that is next, but for space, and reports whether it is.
func (s *splitter) take(c byte) bool {
	s.skip()
	if s.at >= len(s.data) || s.data[s.at] != c {
		return false
	}
	s.at++
	return true
}

// key goes behind a key and its colon.
func (s *splitter) key() (key string, err error) {
	s.skip()
	from := s.at
	if s.at >= len(s.data) || s.data[s.at] != '"' {
		return "", s.unexpected("a key in quotation marks")
	}
	if err := s.text(); err != nil {
		return "", err
	}
	if err := json.Unmarshal(s.data[from:s.at], &key); err != nil {
		return "", atByte(s.file, s.data, from, "the key: %v", err)
	}
	if !s.take(':') {
		return "", s.unexpected("a colon")
	}
	return key, nil
}

// text goes behind a string.
func (s *splitter) text() error {
	for at := s.at + 1; ; {
		end := bytes.IndexByte(s.data[at:], '"')
		if end < 0 {
			s.at = len(s.data)
			return s.unexpected("")
		}
		at += end + 1
		slashes := 0
		for s.data[at-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			s.at = at
			return nil
		}
	}
}

// value goes behind a value.
func (s *splitter) value() error {
	if s.at >= len(s.data) || !isOpening(s.data[s.at]) {
		return s.scalar()
	}
	for depth := 0; s.at < len(s.data); {
		switch s.data[s.at] {
		case '"':
			if err := s.text(); err != nil {
				return err
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if s.at++; depth == 0 {
			return nil
		}
	}
	return s.unexpected("")
}

func isOpening(c byte) bool { return c == '{' || c == '[' }

// scalar goes behind a string, a number or a name such as true.
func (s *splitter) scalar() error {
	from := s.at
	if from < len(s.data) && s.data[from] == '"' {
		return s.text()
	}
	for s.at < len(s.data) && !isSpace(s.data[s.at]) && bytes.IndexByte([]byte(`,:"{}[]`), s.data[s.at]) < 0 {
		s.at++
	}
	if !json.Valid(s.data[from:s.at]) {
		s.at = from
		return s.unexpected("a value")
	}
	return nil
}
