package tests

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// host runs a program that loads the library by itself; gives its output and how it ended.
func host(t *testing.T, program string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // one that hangs is found out
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(withoutSettings(os.Environ()), "TOLK_TEST_LIBRARY="+sharedLibrary(t), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func sharedLibrary(t *testing.T) string {
	t.Helper()
	return filepath.Join(libraryDir(t), "libtolk_memory.so")
}

// requireHost has the program say that all went well.
func requireHost(t *testing.T, program string, args ...string) {
	t.Helper()
	out, err := host(t, program, args...)
	require.NoError(t, err, out)
	require.Equal(t, "ok\n", out)
}

func hostProgram(t *testing.T, name string) string {
	t.Helper()
	return compile(t, compiler(t), filepath.Join("host", name), "-ldl")
}

func TestHostSignals(t *testing.T) {
	program := hostProgram(t, "signals.c")
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) { requireHost(t, program, sharedLibrary(t), when) })
	}
}

func TestHostThreads(t *testing.T) {
	requireHost(t, hostProgram(t, "threads.c"), sharedLibrary(t))
}

func TestHostLoadsAgain(t *testing.T) {
	requireHost(t, hostProgram(t, "reload.c"), sharedLibrary(t))
}

func TestHostOfTwoGoLibraries(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.so")
	command(t, ".", need(t, "go"), "build", "-buildmode=c-shared", "-o", other, "./host/other")
	program := hostProgram(t, "two.c")
	requireHost(t, program, sharedLibrary(t), other)
}

func TestHostPythonProcesses(t *testing.T) {
	python := need(t, "python3")
	for _, way := range []string{"fork", "spawn", "forkserver", "forkserver-preload"} {
		t.Run(way, func(t *testing.T) { requireHost(t, python, "host/processes.py", way) })
	}
}

func TestHostPythonSignals(t *testing.T) {
	python := need(t, "python3")
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			requireHost(t, python, "host/faults.py", when, "handlers")
			out, err := host(t, python, "host/faults.py", when, "crash")
			require.Equal(t, syscall.SIGSEGV, diedOf(t, err), out)
			require.Contains(t, out, "Fatal Python error: Segmentation fault")
			require.Contains(t, out, "faults.py")
		})
	}
}

// withLimit is the program that limits its own address space, to be run with few threads of few demands.
func withLimit(t *testing.T) string {
	t.Helper()
	// Each thread of Go's takes address space for a stack, and unless told otherwise the C library sets 64 MiB aside for it.
	t.Setenv("GOMAXPROCS", "2")
	t.Setenv("MALLOC_ARENA_MAX", "1")
	return hostProgram(t, "limit.c")
}

// TestHostWithLittleAddressSpace pins what a limit of address space does. A Go runtime cannot fail to load, it ends the process.
func TestHostWithLittleAddressSpace(t *testing.T) {
	program := withLimit(t)
	requireHost(t, program, sharedLibrary(t), "1024")
	for _, mib := range []string{"512", "100"} {
		out, err := host(t, program, sharedLibrary(t), mib)
		require.Error(t, err, out)
		require.True(t, strings.HasPrefix(out, "libtolk_memory: this process can take less than 896 MiB of address space"), out)
	}
}

// TestHostOutOfGoMemory pins that graphs which outgrow the process end it: Go's runtime has no other answer.
func TestHostOutOfGoMemory(t *testing.T) {
	out, err := host(t, withLimit(t), sharedLibrary(t), "1024", "fill")
	require.Equal(t, syscall.SIGABRT, diedOf(t, err), out)
	require.Regexp(t, "out of memory|cannot allocate memory|pthread_create failed", out)
}

// diedOf is the signal that ended a program.
func diedOf(t *testing.T, err error) syscall.Signal {
	t.Helper()
	var exit *exec.ExitError
	require.True(t, errors.As(err, &exit), "%v", err)
	return exit.Sys().(syscall.WaitStatus).Signal()
}
