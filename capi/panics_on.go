//go:build tolk_panic

package main

import "libtolk_memory/planner"

// maybePanic panics where TOLK_PANIC is set: this build is for the tests of what becomes of a panic.
func maybePanic() {
	if value, _ := planner.LookupEnv("TOLK_PANIC"); value != "" {
		panic("on purpose")
	}
}
