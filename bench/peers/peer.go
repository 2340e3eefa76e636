package main

import (
	"bytes"
	"embed"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"libtolk_memory/placement"
)

//go:embed replay
var sources embed.FS

// A peer is a program in the folder replay.
type peer struct {
	name, source, needs string
	most                int // more would take minutes or gigabytes
}

var allocators = []peer{
	{"Boost.Interprocess", "boost.cpp", "the headers of Boost (libboost-dev)", 100_000},
	{"malloc of the C library", "malloc.cpp", "glibc", 100_000},
	{"jemalloc", "jemalloc.cpp", "jemalloc's header and library (libjemalloc-dev)", 1_000_000},
	{"tinygrad's TLSFAllocator", "tinygrad_allocator.py", "tinygrad in Python, where PYTHONPATH can name it", 100_000},
}

var planners = []peer{
	{"tinygrad's memory_plan_rewrite", "tinygrad_planner.py", "tinygrad in Python, where PYTHONPATH can name it", 10_000},
}

// copySources writes the peers' programs to an empty folder.
func copySources(folder string) error {
	programs, err := fs.Sub(sources, "replay")
	if err != nil {
		return err
	}
	return os.CopyFS(folder, programs)
}

// allGroups is ours and the peers that can be had, built in folder, which has their sources.
func allGroups(folder string) []group {
	return []group{
		{"allocations and frees in order of time, to offsets", append([]contestant{ourAllocator()}, available(folder, allocators)...)},
		{"lifetimes to offsets", ourPlacers()},
		{"a schedule to a rewritten schedule", append(
			[]contestant{ourPlanner(placement.TLSF), ourPlanner(placement.Best)}, available(folder, planners)...)},
	}
}

// available names the peers that are left out on standard error.
func available(folder string, peers []peer) (found []contestant) {
	for _, p := range peers {
		command, err := p.prepare(folder)
		if err != nil {
			fmt.Fprintf(os.Stderr, "left out: %s, which needs %s: %v\n", p.name, p.needs, err)
			continue
		}
		found = append(found, p.contestant(command))
	}
	return found
}

func (p peer) contestant(command []string) contestant {
	return contestant{p.name, p.most, func(w *workload, runs int) (result, error) { return runPeer(command, w, runs) }}
}

// prepare is the command that runs a peer, or why there is none.
func (p peer) prepare(folder string) ([]string, error) {
	source := filepath.Join(folder, p.source)
	if filepath.Ext(source) == ".py" {
		command := []string{"python3", source}
		return command, tryOut(command) // without input it but imports
	}
	program := strings.TrimSuffix(source, ".cpp")
	compile := []string{"c++", "-std=c++17", "-O2", "-o", program, source}
	if p.source == "jemalloc.cpp" {
		compile = append(compile, "-ljemalloc")
	}
	return []string{program}, tryOut(compile)
}

// tryOut is nil if a command works, else what it says last.
func tryOut(command []string) error {
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return fmt.Errorf("%w: %s", err, lines[len(lines)-1])
}

// runPeer has a peer replay w. The size is that of the first run: what an allocator keeps may change the later ones.
func runPeer(command []string, w *workload, runs int) (r result, err error) {
	program := exec.Command(command[0], command[1:]...)
	program.Env = append(os.Environ(), "DEBUG=0", "NO_MEMORY_PLANNER=0")
	program.Stderr = os.Stderr
	if program.Stdin, err = w.encode(runs); err != nil {
		return r, err
	}
	out, err := program.Output()
	if err != nil {
		return r, err
	}
	lines := bytes.NewReader(out)
	for range runs {
		var size int64
		var took float64
		if _, err := fmt.Fscan(lines, &size, &took); err != nil {
			return r, fmt.Errorf("reading what it printed: %w", err)
		}
		if r.size == 0 {
			r.size = size
		}
		r.times = append(r.times, took)
	}
	return r, nil
}

// encode is the input of a peer, which replay.hpp tells.
func (w *workload) encode(runs int) (*bytes.Buffer, error) {
	header := []int64{int64(runs), int64(len(w.needs)), int64(len(w.events)), w.span}
	var firsts, ends []int64
	for _, b := range w.problem.Buffers {
		firsts, ends = append(firsts, b.First), append(ends, b.End)
	}
	var input bytes.Buffer
	for _, numbers := range [][]int64{header, w.needs, w.events, firsts, ends} {
		if err := binary.Write(&input, binary.NativeEndian, numbers); err != nil {
			return nil, err
		}
	}
	return &input, nil
}
