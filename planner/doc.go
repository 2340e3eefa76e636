// Package planner places the buffers of a schedule in arenas.
//
// A schedule allocates a buffer for each intermediate value, though most are
// needed by a few of its calls only. Planning places buffers whose lifetimes do not overlap at shared bytes of one
// large buffer a placement, the arena, so that the schedule needs less memory.
//
// [MemoryPlanRewrite] goes through these stages, a file each:
//
//	uses.go        which values each entry takes, in order
//	lifetimes.go   which buffers are planned, and from where to where they live
//	arenas.go      one problem of package placement for each placement, solved apart
//	rewrite.go     the schedule with each planned buffer replaced by bytes of its arena
//	binds.go       what every argument of the result binds to
//
// docs/semantics.md says what the result is, exactly.
package planner
