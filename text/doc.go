// Package text reads and writes schedules, plans and requests as JSON text, so
// that a schedule can be attached to a bug report and planned again.
//
// docs/formats.md describes the form. Reading and writing go to any depth without recursion.
package text
