package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// span is the bytes [from, to) of a text.
type span struct{ from, to int }

// document is a JSON value of a text that may hold several, and where the values of its outermost keys are.
type document struct {
	span
	keys map[string]span
}

// split is the JSON values of a text, one behind the other. It goes to any depth without recursion.
func split(file string, data []byte) ([]document, error) {
	s := splitter{data: data, decoder: json.NewDecoder(bytes.NewReader(data))}
	s.decoder.UseNumber()
	for {
		from := s.next()
		token, err := s.decoder.Token()
		if errors.Is(err, io.EOF) && s.depth == 0 {
			return s.documents, nil
		}
		if err != nil {
			return nil, s.syntax(file, err)
		}
		s.take(from, token)
	}
}

type splitter struct {
	data      []byte
	decoder   *json.Decoder
	documents []document
	depth     int
	key       string // of the outermost object, whose value is next or open
	hasKey    bool
	from      int // where the open document or value of a key begins
}

// next is where the next token begins.
func (s *splitter) next() int {
	at := int(s.decoder.InputOffset())
	for at < len(s.data) && strings.IndexByte(" \t\r\n,:", s.data[at]) >= 0 {
		at++
	}
	return at
}

func (s *splitter) syntax(file string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return atByte(file, s.data, len(s.data), "the text ends too early")
	}
	return atByte(file, s.data, s.next(), "%v", err)
}

func (s *splitter) take(from int, token json.Token) {
	delimiter, _ := token.(json.Delim)
	if s.depth == 0 {
		s.documents = append(s.documents, document{span: span{from: from}, keys: map[string]span{}})
	}
	if s.depth == 1 && !s.hasKey && delimiter == 0 {
		s.key, s.hasKey = token.(string)
		return
	}
	if s.depth == 1 && s.hasKey && (delimiter == 0 || delimiter == '{' || delimiter == '[') {
		s.from = from
	}
	switch delimiter {
	case '{', '[':
		s.depth++
	case '}', ']':
		s.depth--
	}
	to := int(s.decoder.InputOffset())
	open := &s.documents[len(s.documents)-1]
	if s.depth == 1 && s.hasKey {
		open.keys[s.key], s.hasKey = span{s.from, to}, false
	}
	if s.depth == 0 {
		open.to = to
	}
}
