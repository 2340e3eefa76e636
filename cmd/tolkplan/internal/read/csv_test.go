package read_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/placement/problem"
)

func readCSV(t require.TestingT, text string, s read.Settings) *read.Work {
	works, err := read.Data("a.csv", []byte(text), s)
	require.NoError(t, err)
	require.Len(t, works, 1)
	return works[0]
}

// TestCSVColumns: what minimalloc's converter takes, in any order. Only a column called "end" holds the last entry rather than the one behind it.
func TestCSVColumns(t *testing.T) {
	half := problem.Buffer{First: 2, End: 5, Bytes: 16}
	closed := problem.Buffer{First: 2, End: 6, Bytes: 16}
	fixed := problem.Buffer{First: 2, End: 5, Bytes: 16, Align: 8, Fixed: true, Offset: 64}
	for _, c := range []struct {
		name, text string
		settings   read.Settings
		want       problem.Buffer
	}{
		{"minimalloc's", "id,lower,upper,size\nb,2,5,16\n", read.Settings{}, half},
		{"older names", "buffer,start,end,size\nb,2,5,16\n", read.Settings{}, closed},
		{"begin and upper", "buffer_id,begin,upper,size\nb,2,5,16\n", read.Settings{}, half},
		{"any order", "size,end,id,begin\n16,5,b,2\n", read.Settings{}, closed},
		{"inclusive by a flag", "id,lower,upper,size\nb,2,5,16\n", read.Settings{Inclusive: true}, closed},
		{"end is inclusive once", "id,lower,end,size\nb,2,5,16\n", read.Settings{Inclusive: true}, closed},
		{"alignment and offset", "id,lower,upper,size,alignment,offset\nb,2,5,16,8,64\n", read.Settings{}, fixed},
		{"empty offset", "id,lower,upper,size,alignment,offset,hint\nb,2,5,16,,,\n", read.Settings{}, half},
		{"hint", "id,lower,upper,size,hint\nb,2,5,16,-1\n", read.Settings{}, half},
		{"spaces, quotes, byte order mark, CRLF", "\ufeffid, lower ,upper,size\r\n\"b\", 2 ,5,16\r\n\r\n", read.Settings{}, half},
		{"gaps", "id,lower,upper,size,gaps\nb,2,5,16,3-4\n", read.Settings{}, half},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := readCSV(t, c.text, c.settings)
			require.Len(t, w.Lifetimes.Buffers, 1)
			require.Equal(t, "b", w.Lifetimes.Buffers[0].ID)
			require.Equal(t, c.want, w.Lifetimes.Buffers[0].Buffer)
		})
	}
}

func TestCSVFaultsPointAtThePlace(t *testing.T) {
	const header = "id,lower,upper,size,alignment,offset\n"
	for _, c := range []struct {
		name, text, want string
	}{
		{"empty", "", "a.csv: the file is empty"},
		{"unknown column", "id,lower,upper,size,colour\n", `a.csv:1:21: column "colour" is not known`},
		{"missing column", "id,lower,size\n", `a.csv:1:1: there is no column "upper"`},
		{"column twice", "id,lower,begin,upper,size\n", `a.csv:1:10: column "lower" stands twice`},
		{"too few fields", header + "a,1,2\n", "a.csv:2:1: the line does not have the 6 fields"},
		{"no number", header + "a,1,2,x,,\n", `a.csv:2:7: size is "x"`},
		{"NaN", header + "a,NaN,2,3,,\n", `a.csv:2:3: lower is "NaN"`},
		{"fraction", header + "a,1,2,3.5,,\n", `a.csv:2:7: size is "3.5"`},
		{"empty size", header + "a,1,2,,,\n", `a.csv:2:7: size is ""`},
		{"beyond 64 bits", header + "a,1,2,9223372036854775808,,\n", "a.csv:2:7: size is"},
		{"negative size", header + "a,1,2,-3,,\n", "a.csv:2:7: size is -3"},
		{"huge size", header + "a,1,2,9223372036854775807,,\n", "a.csv:2:7: size is"},
		{"lifetime backwards", header + "a,1,2,3,,\nb,5,5,3,,\n", "a.csv:3:5: upper is 5; it must be greater than lower, 5"},
		{"last before first", "id,begin,end,size\na,3,2,1\n", "a.csv:2:5: the last entry, 2, is before the first, 3"},
		{"last entry of all", "id,begin,end,size\na,3,9223372036854775807,1\n", "a.csv:2:5: the last entry"},
		{"alignment", header + "a,1,2,3,3,\n", "a.csv:2:9: alignment is 3: it must be a power of two"},
		{"offset", header + "a,1,2,3,8,4\n", "a.csv:2:11: offset is 4"},
		{"id twice", header + "a,1,2,3,,\n\nb,1,2,3,,\na,1,2,3,,\n", `a.csv:5:1: id "a" stands in line 2 already`},
		{"quote", header + "\"a,1,2,3,,\n", "a.csv:2:12:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read.Data("a.csv", []byte(c.text), read.Settings{})
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestLaw_WhatIsWrittenIsReadAgain(t *testing.T) {
	name := rapid.SampledFrom([]string{"", "a", "conv, \"1\"", "größe", "line\nbreak"})
	rapid.Check(t, func(t *rapid.T) {
		var buffers []read.Lifetime
		for i := range rapid.IntRange(1, 20).Draw(t, "n") {
			l := read.Lifetime{ID: strconv.Itoa(i), Name: name.Draw(t, "name"), Arena: rapid.SampledFrom([]string{"", "CUDA:0"}).Draw(t, "arena")}
			l.First = rapid.Int64Range(-5, 1<<40).Draw(t, "first")
			l.End = l.First + rapid.Int64Range(1, 1<<20).Draw(t, "length")
			l.Bytes = rapid.Int64Range(0, 1<<50).Draw(t, "bytes")
			l.Align = 1 << rapid.IntRange(0, 10).Draw(t, "align")
			if l.Fixed = rapid.Bool().Draw(t, "fixed"); l.Fixed {
				l.Offset = l.Align * rapid.Int64Range(0, 1<<20).Draw(t, "offset")
			}
			buffers = append(buffers, l)
		}
		var text bytes.Buffer
		require.NoError(t, read.WriteCSV(&text, buffers))
		got := readCSV(t, text.String(), read.Settings{}).Lifetimes.Buffers
		for i := range got {
			got[i].Align = max(got[i].Align, 1)
		}
		require.Equal(t, buffers, got)
	})
}
