package ir_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
)

// The bounds of sums and products are the least and the greatest that any values give.
func TestBoundsAreThoseOfAllValues(t *testing.T) {
	g := ir.NewGraph()
	const most = 4
	for xl := int64(-most); xl <= most; xl++ {
		for xg := xl; xg <= most; xg++ {
			for yl := int64(-most); yl <= most; yl++ {
				for yg := yl; yg <= most; yg++ {
					requireBounds(t, g, [2]int64{xl, xg}, [2]int64{yl, yg})
				}
			}
		}
	}
}

func requireBounds(t *testing.T, g *ir.Graph, x, y [2]int64) {
	sum, product := [2]int64{math.MaxInt64, math.MinInt64}, [2]int64{math.MaxInt64, math.MinInt64}
	for a := x[0]; a <= x[1]; a++ {
		for b := y[0]; b <= y[1]; b++ {
			sum = [2]int64{min(sum[0], a+b), max(sum[1], a+b)}
			product = [2]int64{min(product[0], a*b), max(product[1], a*b)}
		}
	}
	vx, vy := must(g.Variable("x", x[0], x[1])), must(g.Variable("y", y[0], y[1]))
	if got := bounds(g, must(g.Add(vx, vy))); got != sum {
		t.Fatalf("the sum of %v and %v is %v, not %v", x, y, got, sum)
	}
	if got := bounds(g, must(g.Mul(vx, vy))); got != product {
		t.Fatalf("the product of %v and %v is %v, not %v", x, y, got, product)
	}
}

func bounds(g *ir.Graph, op ir.Op) [2]int64 {
	least, greatest := must(g.Node(op)).Bounds()
	return [2]int64{least, greatest}
}

func TestRangesCountFromZero(t *testing.T) {
	g := ir.NewGraph()
	for _, c := range []struct{ least, greatest, last int64 }{
		{0, 0, 0}, {0, 1, 0}, {5, 5, 4}, {0, 9, 8}, {math.MaxInt64, math.MaxInt64, math.MaxInt64 - 1},
	} {
		r := must(g.Range(must(g.Variable("n", c.least, c.greatest)), -3, 9))
		require.Equal(t, [2]int64{0, c.last}, bounds(g, r))
		axis, kind := must(g.Node(r)).Axis()
		require.Equal(t, []int64{-3, 9}, []int64{axis, int64(kind)})
	}
}

func TestScalarsAtTheEdgeOf64Bits(t *testing.T) {
	const least, greatest = math.MinInt64, math.MaxInt64
	g := ir.NewGraph()
	for _, c := range []struct {
		x, y         int64
		sum, product bool // whether they fit
	}{
		{greatest, 0, true, true},
		{greatest, 1, false, true},
		{greatest, -1, true, true},
		{greatest, least, true, false},
		{least, 0, true, true},
		{least, -1, false, false},
		{least, 1, true, true},
		{least, least, false, false},
		{least / 2, 2, true, true},
		{least / 2, -2, true, false},
		{least / 2, least / 2, true, false},
		{1 << 31, 1 << 31, true, true},
		{1 << 32, 1 << 31, true, false},
		{-1 << 32, 1 << 31, true, true},
		{3037000499, 3037000499, true, true},
		{3037000500, 3037000500, true, false},
	} {
		for _, pair := range [][2]int64{{c.x, c.y}, {c.y, c.x}} {
			x, y := must(g.Const(pair[0])), must(g.Const(pair[1]))
			sum, err := g.Add(x, y)
			requireFits(t, g, c.sum, sum, err, c.x+c.y, "the sum of")
			product, err := g.Mul(x, y)
			requireFits(t, g, c.product, product, err, c.x*c.y, "the product of")
		}
	}
}

func requireFits(t *testing.T, g *ir.Graph, fits bool, op ir.Op, err error, value int64, what string) {
	t.Helper()
	if fits {
		require.NoError(t, err)
		require.Equal(t, [2]int64{value, value}, bounds(g, op))
		return
	}
	var fault *ir.Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, ir.Overflow, fault.Kind)
	require.Contains(t, fault.Message, what)
	require.Contains(t, fault.Message, "does not fit in 64 bits")
}

// A start that is the same whatever the variables are is no symbol.
func TestWhatMakesAStartSymbolic(t *testing.T) {
	k := newKit()
	x := k.ops[ir.Buffer]
	for _, c := range []struct {
		start    ir.Op
		symbolic bool
		offset   int64
	}{
		{must(k.g.Const(2)), false, 8},
		{must(k.g.Variable("fixed", 2, 2)), false, 8},
		{must(k.g.Mul(k.ops[ir.Variable], must(k.g.Const(0)))), false, 0},
		{k.ops[ir.Variable], true, 0},
		{must(k.g.Range(must(k.g.Const(1)), 0, 0)), false, 0},
		{must(k.g.Range(must(k.g.Const(2)), 0, 0)), true, 0},
	} {
		b, _ := k.node(must(k.g.Shrink(must(k.g.ShrinkAt(x, c.start, 4)), 1, 1))).Binding()
		require.Equal(t, ir.Binding{Storage: k.node(x), Offset: c.offset + 4, Symbolic: c.symbolic}, b)
	}
}
