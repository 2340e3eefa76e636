package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// panel draws one arena of a plan: its names, its load over time, and below that its bytes over time.
type panel struct {
	*drawing
	extent
	plan  *Plan
	arena *Arena
	plot  float64 // the height of the bytes
	base  float64 // y of byte 0
}

func (p *panel) height() float64 { return headRoom + loadRoom + gap + p.plot + axisRoom }

func (p *panel) draw(y float64) {
	p.base = y + headRoom + loadRoom + gap + p.plot
	p.head(y)
	p.load(y + headRoom + loadRoom)
	p.bytesAxis()
	p.entriesAxis()
	p.boxes()
	p.lines(y + headRoom)
	p.names()
}

// The conversions keep a compiler from fusing the product and the sum, which rounds otherwise.
func (p *panel) x(entry float64) float64 {
	return svgLeft + float64((entry-p.from)/(p.to-p.from)*plotWidth)
}

func (p *panel) y(bytes float64) float64 { return p.base - float64(bytes/p.top*p.plot) }

func (p *panel) head(y float64) {
	fmt.Fprintf(p, `<text class="head" x="%d" y="%.0f">%s</text>`+"\n", svgLeft, y+16, escaped(printable(caption(p.plan, p.arena), 60)))
	fmt.Fprintf(p, `<text class="fact" x="%d" y="%.0f"><tspan class="size">%s</tspan> · %s</text>`+"\n", svgWidth-svgRight, y+16, bytesText(float64(p.arena.Size)), p.arena.above())
}

// load draws the load as an area on the line y; its top is the greatest load.
func (p *panel) load(y float64) {
	steps, greatest := p.arena.loadSteps(), 1.0
	for _, s := range steps {
		greatest = max(greatest, s.load)
	}
	path := newPath(svgLeft, y)
	for _, s := range steps {
		path.horizontal(p.x(s.entry))
		path.vertical(y - float64(s.load/greatest*loadRoom))
	}
	fmt.Fprintf(p, `<path class="load" d="%s"/>`+"\n", path.String())
	fmt.Fprintf(p, `<text class="tick" x="%d" y="%.0f">%s</text><text class="tick" x="%d" y="%.0f">load</text>`+"\n", svgLeft-8, y-loadRoom+9, bytesText(greatest), svgLeft-8, y)
}

func (p *panel) bytesAxis() {
	free := p.y(float64(p.arena.Size))
	fmt.Fprintf(p, `<rect class="free" x="%d" y="%.1f" width="%d" height="%.1f"/>`+"\n", svgLeft, free, plotWidth, p.base-free)
	bytes, step := ticks(0, p.top, int(p.plot/45))
	for _, at := range bytes {
		fmt.Fprintf(p, `<path class="frame" d="M%d %.1fh4"/><text class="tick" x="%d" y="%.1f">%s</text>`+"\n", svgLeft-4, p.y(at), svgLeft-8, p.y(at)+4, tickText(at, step, p.top))
	}
}

func (p *panel) entriesAxis() {
	entries, _ := ticks(p.from, p.to, 12)
	for _, at := range entries {
		fmt.Fprintf(p, `<path class="frame" d="M%.1f %.1fv4"/><text class="entry" x="%.1f" y="%.1f">%.0f</text>`+"\n", p.x(at), p.base, p.x(at), p.base+17, at)
	}
	fmt.Fprintf(p, `<path class="frame" d="M%d %.1fh%d"/>`+"\n", svgLeft, p.base, plotWidth)
}

// box is where a buffer is drawn, in tenths of a unit: with a gap to its neighbours, if it is large enough.
func (p *panel) box(b *Buffer) (left, top, width, height float64) {
	left, right := math.Round(p.x(float64(b.First))*10), math.Round(p.x(float64(b.End))*10)
	low, high := math.Round(p.y(float64(b.Offset))*10), math.Round(p.y(b.top())*10)
	if right-left > 20 {
		right -= 5
	}
	if low-high > 20 {
		high += 5
	}
	return left, high, max(right-left, 1), max(low-high, 1)
}

// boxes draws the buffers, one path a class. Of those within one unit one is drawn, so that an image of many stays small.
func (p *panel) boxes() {
	paths := make([]strings.Builder, classCount+1)
	type place struct{ x, y, class int }
	drawn := map[place]bool{}
	for i := range p.arena.Buffers {
		b := &p.arena.Buffers[i]
		left, top, width, height := p.box(b)
		if at := (place{int(left / 10), int(top / 10), p.classes.of(b)}); width < 10 && height < 10 {
			if drawn[at] {
				continue
			}
			drawn[at] = true
		}
		box := fmt.Sprintf("M%s %sh%sv%sh-%sz", tenths(left), tenths(top), tenths(width), tenths(height), tenths(width))
		paths[p.classes.of(b)].WriteString(box)
		if b.Held {
			paths[classCount].WriteString(box)
		}
	}
	for class := range classCount {
		if paths[class].Len() > 0 {
			fmt.Fprintf(p, `<path class="box c%d" d="%s"/>`+"\n", class, paths[class].String())
		}
	}
	if held := &paths[classCount]; held.Len() > 0 {
		fmt.Fprintf(p, `<path fill="url(#held)" d="%s"/>`+"\n", held.String())
	}
}

const (
	mostNames = 60
	letter    = 6.2 // the width of a letter
)

// names writes the names of the largest boxes that have room for them.
func (p *panel) names() {
	order := make([]*Buffer, len(p.arena.Buffers))
	area := func(b *Buffer) float64 { return (float64(b.End) - float64(b.First)) * float64(b.Need) }
	for i := range order {
		order[i] = &p.arena.Buffers[i]
	}
	slices.SortStableFunc(order, func(a, b *Buffer) int { return cmp.Compare(area(b), area(a)) })
	for _, b := range order[:min(len(order), mostNames)] {
		left, top, width, height := p.box(b)
		room := int((width/10 - 8) / letter)
		if name := b.label(); height >= 140 && len([]rune(name)) <= room {
			fmt.Fprintf(p, `<text class="name n%d" x="%s" y="%s">%s</text>`+"\n", p.classes.of(b), tenths(left+width/2), tenths(top+height/2+40), escaped(printable(name, room)))
		}
	}
}

// lines marks the lower bound, the arena's size and the peak.
func (p *panel) lines(top float64) {
	a := p.arena
	size, bound := p.y(float64(a.Size)), p.y(float64(a.Bound))
	fmt.Fprintf(p, `<path class="size-line" d="M%d %.1fh%d"/>`+"\n", svgLeft, size, plotWidth)
	if a.Bound < a.Size {
		name := bound - 5
		if bound-size < 20 {
			name = bound + 13
		}
		fmt.Fprintf(p, `<path class="bound" d="M%d %.1fh%d"/><text class="mark" x="%d" y="%.1f">lower bound</text>`+"\n", svgLeft, bound, plotWidth, svgWidth-svgRight-4, name)
	}
	if len(a.Buffers) == 0 {
		return
	}
	x := p.x(min(max(float64(a.Peak)+0.5, p.from), p.to))
	fmt.Fprintf(p, `<path class="peak" d="M%.1f %.1fV%.1f"/>`, x, top, p.base+6)
	fmt.Fprintf(p, `<text class="peak-name" x="%.1f" y="%.1f">peak, entry %d</text>`+"\n", min(max(x, svgLeft+50), svgWidth-svgRight-50), p.base+34, a.Peak)
}

// path is an SVG path of steps, in tenths of a unit.
type path struct {
	strings.Builder
	x, y float64
}

func newPath(x, y float64) *path {
	p := &path{x: math.Round(x * 10), y: math.Round(y * 10)}
	fmt.Fprintf(p, "M%s %s", tenths(p.x), tenths(p.y))
	return p
}

func (p *path) horizontal(x float64) { p.x = p.step('H', p.x, x) }
func (p *path) vertical(y float64)   { p.y = p.step('V', p.y, y) }

// step goes to a coordinate, unless it is there.
func (p *path) step(command byte, from, to float64) float64 {
	to = math.Round(to * 10)
	if to != from {
		p.WriteByte(command)
		p.WriteString(tenths(to))
	}
	return to
}

// tenths is a count of tenths as a decimal.
func tenths(n float64) string {
	return strconv.FormatFloat(n/10, 'f', -1, 64)
}
