//go:build tolk_mallocs

package main

/*
#include <stdint.h>
*/
import "C"

import "runtime"

// tolk_mallocs is how often the Go side has allocated memory: this build is for the test that holds that down.
//
//export tolk_mallocs
func tolk_mallocs() C.uint64_t {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return C.uint64_t(stats.Mallocs)
}
