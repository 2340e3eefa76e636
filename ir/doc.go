// Package ir holds schedules as graphs of hash-consed, immutable ops.
//
// A schedule is an ordered list of calls, and loops around calls, over
// buffers. Its ops are built in a [Graph]; building an op that equals an
// existing one of the same graph gives that one, so structural equality is
// identity. An op is a number, [Op], that names its graph too: an op of another
// graph, or of one that is gone, is noticed and refused.
//
// A graph is a handful of tables of numbers without pointers. An op costs 40
// bytes, a source 4 and its entry in the intern table 11 to 21 (16 on average),
// beside the bytes of its names, which are stored once each. Sources have lower
// numbers than the ops built on them, so that number order is a topological
// order and no walk needs recursion.
//
// What each kind of op takes and gives stands in one table, kinds.go.
//
// Building locks the graph; reading takes no lock. Any number of goroutines may
// do both at once.
package ir
