package picture

import "container/heap"

// rowKey is a row of a trace and what it is ordered by: the entry from which on it is free, or its own number.
type rowKey struct {
	key int64
	row int
}

// rowHeap is rows, the one of the least key first.
type rowHeap []rowKey

func (h *rowHeap) push(r rowKey) { heap.Push(h, r) }
func (h *rowHeap) pop() rowKey   { return heap.Pop(h).(rowKey) }

// Len, Less, Swap, Push and Pop are those of [heap.Interface].
func (h rowHeap) Len() int { return len(h) }
func (h rowHeap) Less(i, j int) bool {
	return h[i].key < h[j].key || h[i].key == h[j].key && h[i].row < h[j].row
}
func (h rowHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *rowHeap) Push(r any)   { *h = append(*h, r.(rowKey)) }
func (h *rowHeap) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	*h = (*h)[:last]
	return r
}
