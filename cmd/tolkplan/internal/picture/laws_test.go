package picture

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawPicture is any picture: of plans right and wrong, of names of any letters, of sizes up to 2^62.
func drawPicture(t *rapid.T) Picture {
	number := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, 1<<62))
	buffer := rapid.Custom(func(t *rapid.T) Buffer {
		first := number.Draw(t, "first")
		bytes := number.Draw(t, "bytes")
		return Buffer{
			ID: rapid.String().Draw(t, "id"), Name: rapid.String().Draw(t, "name"),
			First: first, End: first + 1 + rapid.Int64Range(0, 30).Draw(t, "length"),
			Offset: number.Draw(t, "offset"), Bytes: bytes, Need: bytes + rapid.Int64Range(0, 255).Draw(t, "waste"),
			Takers: rapid.SliceOfN(number, 0, 3).Draw(t, "takers"), Held: rapid.Bool().Draw(t, "held"),
		}
	})
	arena := rapid.Custom(func(t *rapid.T) Arena {
		return Arena{
			Name: rapid.String().Draw(t, "name"), Size: number.Draw(t, "size"), Bound: number.Draw(t, "bound"), Peak: number.Draw(t, "peak"),
			Optimal: rapid.Bool().Draw(t, "optimal"), Buffers: rapid.SliceOfN(buffer, 0, 12).Draw(t, "buffers"),
		}
	})
	plan := rapid.Custom(func(t *rapid.T) Plan {
		return Plan{Name: rapid.String().Draw(t, "name"), Arenas: rapid.SliceOfN(arena, 0, 2).Draw(t, "arenas")}
	})
	return Picture{
		Title: rapid.String().Draw(t, "title"), Entries: rapid.SliceOfN(rapid.String(), 0, 12).Draw(t, "entries"),
		Plans: rapid.SliceOfN(plan, 0, 2).Draw(t, "plans"),
	}
}

func TestLaw_AnyPictureIsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPicture(t)
		for _, write := range []func(io.Writer, Picture) error{HTML, SVG, sketch100, Trace} {
			if err := write(io.Discard, p); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestLaw_PageKeepsEveryNumber reads the page's data back: they are the picture, to the byte, and end no element of the page.
func TestLaw_PageKeepsEveryNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPicture(t)
		var page bytes.Buffer
		if err := HTML(&page, p); err != nil {
			t.Fatal(err)
		}
		require.Equal(t, 2, strings.Count(strings.ToLower(page.String()), "<script"))
		require.Equal(t, 2, strings.Count(strings.ToLower(page.String()), "</script"))
		require.Equal(t, plansOf(&p), readPage(t, page.String()))
	})
}

// cell is a number of the page's data: one that a browser reads exactly, or a string.
type cell string

func (c *cell) UnmarshalJSON(text []byte) error {
	*c = cell(strings.Trim(string(text), `"`))
	if text[0] != '"' {
		if n, err := strconv.ParseInt(string(text), 10, 64); err != nil || n > 1<<53-1 || n < -(1<<53-1) {
			return strconv.ErrRange
		}
	}
	return nil
}

// pagePlans is what a page says, or should say, of its plans.
type pagePlans [][]pageArena

type pageArena struct {
	Name              string
	Size, Bound, Peak string
	Buffers           []pageBuffer
}

type pageBuffer struct {
	ID, Name                              string
	First, End, Bytes, Need, Held, Offset string
	Takers                                []string
}

func plansOf(p *Picture) pagePlans {
	text := func(n int64) string { return strconv.FormatInt(n, 10) }
	plans := make(pagePlans, len(p.Plans))
	for i, plan := range p.Plans {
		for _, a := range plan.Arenas {
			arena := pageArena{Name: a.Name, Size: text(a.Size), Bound: text(a.Bound), Peak: text(a.Peak)}
			for _, b := range a.Buffers {
				held := map[bool]string{false: "0", true: "1"}[b.Held]
				buffer := pageBuffer{b.ID, b.Name, text(b.First), text(b.End), text(b.Bytes), text(b.Need), held, text(b.Offset), nil}
				for _, taker := range b.Takers {
					buffer.Takers = append(buffer.Takers, text(taker))
				}
				arena.Buffers = append(arena.Buffers, buffer)
			}
			plans[i] = append(plans[i], arena)
		}
	}
	return plans
}

func readPage(t require.TestingT, page string) pagePlans {
	_, data, _ := strings.Cut(page, `<script id="data" type="application/json">`)
	data, _, _ = strings.Cut(data, "</script>")
	var read struct {
		Buffers struct {
			ID, Name                      []string
			First, End, Bytes, Need, Held []cell
			Takers                        [][]cell
		}
		Plans []struct {
			Arenas []struct {
				Name              string
				Size, Bound, Peak cell
				Rows              []int
				Offsets           []cell
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(data), &read))
	plans, of := make(pagePlans, len(read.Plans)), &read.Buffers
	for i, plan := range read.Plans {
		for _, a := range plan.Arenas {
			arena := pageArena{Name: a.Name, Size: string(a.Size), Bound: string(a.Bound), Peak: string(a.Peak)}
			for j, row := range a.Rows {
				buffer := pageBuffer{of.ID[row], of.Name[row], string(of.First[row]), string(of.End[row]), string(of.Bytes[row]), string(of.Need[row]), string(of.Held[row]), string(a.Offsets[j]), nil}
				for _, taker := range of.Takers[row] {
					buffer.Takers = append(buffer.Takers, string(taker))
				}
				arena.Buffers = append(arena.Buffers, buffer)
			}
			plans[i] = append(plans[i], arena)
		}
	}
	return plans
}

func TestLaw_LoadIsThatOfBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Arena{Buffers: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Buffer {
			first := rapid.Int64Range(0, 20).Draw(t, "first")
			return Buffer{First: first, End: first + rapid.Int64Range(1, 9).Draw(t, "length"), Need: rapid.Int64Range(0, 9).Draw(t, "need")}
		}), 0, 12).Draw(t, "buffers")}
		load, steps := 0.0, a.loadSteps()
		for entry := int64(0); entry < 30; entry++ {
			for len(steps) > 0 && steps[0].entry == float64(entry) {
				load, steps = steps[0].load, steps[1:]
			}
			require.Equal(t, float64(bruteLoad(&a, entry)), load, "entry %d", entry)
		}
		require.Empty(t, steps)
	})
}

func TestLaw_TicksAreRoundAndInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(0, 1e18).Draw(t, "low")
		high := low + math.Max(1, low*1e-6) + rapid.Float64Range(0, 1e18).Draw(t, "more")
		count := rapid.IntRange(1, 20).Draw(t, "count")
		at, step := ticks(low, high, count)
		require.LessOrEqual(t, len(at), count+1)
		require.Contains(t, "125", strings.Trim(strconv.FormatFloat(step, 'f', 0, 64), "0"), "step %g", step)
		for _, n := range at {
			require.GreaterOrEqual(t, n, low)
			require.LessOrEqual(t, n, high)
		}
	})
}

func TestBytesText(t *testing.T) {
	for want, n := range map[string]float64{
		"0 B": 0, "999 B": 999, "1.00 kB": 1000, "999.99 kB": 999_990, "1.00 MB": 999_999, "79.10 MB": 79_101_952, "4.61 EB": 1 << 62,
	} {
		require.Equal(t, want, bytesText(n))
	}
}

func TestTickText(t *testing.T) {
	for want, n := range map[string][3]float64{
		"20 MB": {20e6, 20e6, 84e6}, "0 MB": {0, 20e6, 84e6}, "0.5 MB": {500e3, 500e3, 3e6}, "12.345 MB": {12_345_000, 1000, 20e6}, "7 B": {7, 1, 9},
	} {
		require.Equal(t, want, tickText(n[0], n[1], n[2]))
	}
}

// TestLaw_ClassesCoverEveryLifetime also has each class reach no less far than the one before it.
func TestLaw_ClassesCoverEveryLifetime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(1, 100), rapid.Int64Range(1, 1<<62)), 1, 20).Draw(t, "lengths")
		var a Arena
		for _, length := range lengths {
			a.Buffers = append(a.Buffers, Buffer{End: length})
		}
		c := newClasses(&Picture{Plans: []Plan{{Arenas: []Arena{a}}}})
		require.IsNonDecreasing(t, c.longest[:])
		require.Equal(t, slices.Max(lengths), c.longest[classCount-1])
		for i := range a.Buffers {
			require.NotEmpty(t, c.name(c.of(&a.Buffers[i])))
		}
	})
}

func TestClasses(t *testing.T) {
	of := func(lengths ...int64) (names []string) {
		var a Arena
		for _, length := range lengths {
			a.Buffers = append(a.Buffers, Buffer{End: length})
		}
		c := newClasses(&Picture{Plans: []Plan{{Arenas: []Arena{a}}}})
		for class := range classCount {
			names = append(names, c.name(class))
		}
		return names
	}
	require.Equal(t, []string{"1–2", "3–4", "5–8", "9–16", "17–32"}, of(1, 32))
	require.Equal(t, []string{"1", "", "2", "3", "4–5"}, of(1, 5))
	require.Equal(t, []string{"7", "", "", "", ""}, of(7))
	require.Equal(t, []string{"1", "", "", "", ""}, of())
}
