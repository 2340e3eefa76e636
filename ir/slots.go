package ir

import "sync/atomic"

var nextSlot atomic.Int64

// UniqueNum is the next number of the process-wide counter that slots come from:
// 0, 1, 2 and so on, each given once.
func UniqueNum() int64 { return nextSlot.Add(1) - 1 }
