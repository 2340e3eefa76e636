// Command other is a second library with a Go runtime, for the test that a process may hold two.
package main

import "C"

import "runtime"

//export other_twice
func other_twice(n C.int) C.int {
	if n%100 == 0 {
		runtime.GC()
	}
	return 2 * n
}

func main() {}
