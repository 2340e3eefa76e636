package ir

import "sync/atomic"

var nextSlot atomic.Int64

// MaxSlot is the greatest slot that a caller may name.
const MaxSlot = 1<<62 - 1

// UniqueNum is the next number of the process-wide counter that slots come from:
// 0, 1, 2 and so on, each given once and none that a caller has named before.
func UniqueNum() int64 { return nextSlot.Add(1) - 1 }

// nameSlot keeps the counter from giving a slot that a caller names.
func nameSlot(slot int64) {
	for next := nextSlot.Load(); next <= slot; next = nextSlot.Load() {
		nextSlot.CompareAndSwap(next, slot+1)
	}
}
