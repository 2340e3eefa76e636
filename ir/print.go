package ir

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Print writes n and all that it is built on, a line an op, sources first, by the numbers that messages use:
//
//	#1 = BUFFER slot=0 float32[1024] on ["CUDA:0"]
//	#2 = CONST 16
//	#3 = SHRINK(#1, #2, #2) float32[16]
func (n Node) Print(w io.Writer) error {
	out := bufio.NewWriter(w)
	for op := range n.Reach(WithBodies).All() {
		fmt.Fprintf(out, "%v = %v%s%s\n", op.Op(), op.Kind(), op.sourcesText(), op.argumentText())
	}
	return out.Flush()
}

func (n Node) sourcesText() string {
	if n.NumSources() == 0 {
		return ""
	}
	var list []string
	for _, s := range n.g.sources.slice(n.row().from, n.row().n) {
		list = append(list, n.g.op(s).String())
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func (n Node) argumentText() string {
	var text strings.Builder
	if n.Has(ArgName) {
		fmt.Fprintf(&text, " %q", n.Name())
	}
	if n.Has(ArgTag) && n.Tag() != 0 {
		fmt.Fprintf(&text, " tag=%d", n.Tag())
	}
	if n.Has(ArgSlot) {
		fmt.Fprintf(&text, " slot=%d", n.Slot())
	}
	if n.Has(ArgShard) {
		fmt.Fprintf(&text, " shard=%d", n.Shard())
	}
	if n.Has(ArgAxis) {
		axis, kind := n.Axis()
		fmt.Fprintf(&text, " axis=%d kind=%d", axis, kind)
	}
	if least, greatest := n.Bounds(); n.Has(ArgValue) {
		fmt.Fprintf(&text, " %d", least)
	} else if n.Has(ArgBounds) {
		fmt.Fprintf(&text, " in [%d, %d]", least, greatest)
	}
	n.valueText(&text)
	return text.String()
}

func (n Node) valueText(text *strings.Builder) {
	if !n.Kind().IsValue() {
		return
	}
	fmt.Fprintf(text, " %v[%d]", n.Dtype(), n.Len())
	if n.Phase() != 0 || n.Has(ArgAlign) && n.Align() != DefaultAlign {
		fmt.Fprintf(text, " phase=%d/%d", n.Phase(), n.Align())
	}
	if n.Has(ArgPlacement) {
		fmt.Fprintf(text, " on %q", n.g.Devices(n.Placement()))
	}
}
