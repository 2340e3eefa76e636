package read

import (
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is the bytes of a protobuf message, and where in the file they are.
type message struct {
	file string
	at   int64
	data []byte
}

// field is one field of a message.
type field struct {
	message // its bytes, if it has a length
	number  protowire.Number
	kind    protowire.Type
	value   uint64 // if it is a number
}

func (m message) fail(format string, args ...any) error {
	return failureAt(m.file, m.at, format, args...)
}

// each calls f for each field of a message, in order.
func (m message) each(what string, f func(field) error) error {
	for rest := m; len(rest.data) > 0; {
		part, size := rest.first()
		if size < 0 {
			return rest.fail("%s is cut off or is no protobuf: %v", what, protowire.ParseError(size))
		}
		if err := f(part); err != nil {
			return err
		}
		rest.at, rest.data = rest.at+int64(size), rest.data[size:]
	}
	return nil
}

// first is the first field of a message and its size in bytes, negative if it is none.
func (m message) first() (field, int) {
	number, kind, tag := protowire.ConsumeTag(m.data)
	if tag < 0 {
		return field{}, tag
	}
	f := field{number: number, kind: kind, message: message{file: m.file, at: m.at}}
	size := protowire.ConsumeFieldValue(number, kind, m.data[tag:])
	if size < 0 {
		return field{}, size
	}
	content := m.data[tag : tag+size]
	switch kind {
	case protowire.VarintType:
		f.value, _ = protowire.ConsumeVarint(content)
	case protowire.Fixed32Type:
		small, _ := protowire.ConsumeFixed32(content)
		f.value = uint64(small)
	case protowire.Fixed64Type:
		f.value, _ = protowire.ConsumeFixed64(content)
	case protowire.BytesType:
		f.data, _ = protowire.ConsumeBytes(content)
		f.at = m.at + int64(tag+size-len(f.data))
	}
	return f, tag + size
}

// wants is nil if a field is of a kind.
func (f field) wants(kind protowire.Type, what string) error {
	if f.kind == kind {
		return nil
	}
	return f.fail("%s is of wire type %d; it must be of type %d", what, f.kind, kind)
}

func (f field) integer(to *int64, what string) error {
	*to = int64(f.value)
	return f.wants(protowire.VarintType, what)
}

func (f field) text(to *string, what string) error {
	if err := f.wants(protowire.BytesType, what); err != nil {
		return err
	}
	if !utf8.Valid(f.data) {
		return f.fail("%s is not valid UTF-8", what)
	}
	*to = string(f.data)
	return nil
}

func (f field) texts(to *[]string, what string) error {
	var s string
	err := f.text(&s, what)
	*to = append(*to, s)
	return err
}

func (f field) sub(to *message, what string) error {
	*to = f.message
	return f.wants(protowire.BytesType, what)
}

// numbers appends a repeated number, packed or not, of 8 bytes each at most, as raw bits.
func (f field) numbers(to *[]uint64, each protowire.Type, what string) error {
	if f.kind != protowire.BytesType {
		*to = append(*to, f.value)
		return f.wants(each, what)
	}
	for rest := f.data; len(rest) > 0; {
		var value uint64
		var size int
		switch each {
		case protowire.Fixed32Type:
			var small uint32
			small, size = protowire.ConsumeFixed32(rest)
			value = uint64(small)
		case protowire.Fixed64Type:
			value, size = protowire.ConsumeFixed64(rest)
		default:
			value, size = protowire.ConsumeVarint(rest)
		}
		if size < 0 {
			return f.fail("%s is cut off", what)
		}
		*to, rest = append(*to, value), rest[size:]
	}
	return nil
}

func (f field) integers(to *[]int64, what string) error {
	var bits []uint64
	err := f.numbers(&bits, protowire.VarintType, what)
	for _, b := range bits {
		*to = append(*to, int64(b))
	}
	return err
}
