package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDist is what a user does with the tarball of make dist: unpack it in an empty folder, and build a program a language from it alone.
func TestDist(t *testing.T) {
	need(t, "cmake")
	if runtime.GOOS != "linux" {
		t.Skip("skipped: a tarball is of Linux")
	}
	libraryDir(t)
	tarball := dist(t)
	t.Run("equal sources make equal tarballs", func(t *testing.T) { requireSameBytes(t, tarball, dist(t)) })

	folder := t.TempDir()
	command(t, folder, need(t, "tar"), "-xzf", tarball)
	tree := matches(t, filepath.Join(folder, "libtolk_memory-*"))[0]
	checkDocuments(t, tree)
	checkConsumers(t, tree)
	t.Run("python", func(t *testing.T) {
		need(t, "python3")
		checkWheel(t, matches(t, filepath.Join(tree, "python", "*.whl"))[0])
	})
	t.Run("rust", func(t *testing.T) {
		needNewCargo(t)
		checkCrates(t, filepath.Join(tree, "rust"), filepath.Join(tree, "lib"))
	})
}

// dist is the path of a new tarball.
func dist(t *testing.T) string {
	t.Helper()
	build := t.TempDir()
	t.Log(command(t, "..", "make", "-s", "dist", "B="+build))
	return matches(t, filepath.Join(build, "dist", "libtolk_memory-*-linux-*.tar.gz"))[0]
}

// checkDocuments finds the licence, and each document that an installed header names.
func checkDocuments(t *testing.T, tree string) {
	t.Helper()
	folder := filepath.Join(tree, "share/doc/tolk_memory")
	require.FileExists(t, filepath.Join(folder, "LICENSE"))
	for _, header := range matches(t, filepath.Join(tree, "include/*")) {
		text, err := os.ReadFile(header)
		require.NoError(t, err)
		for _, document := range regexp.MustCompile(`docs/\w+\.md`).FindAllString(string(text), -1) {
			require.FileExists(t, filepath.Join(folder, document), header)
		}
	}
}

func requireSameBytes(t *testing.T, one, two string) {
	t.Helper()
	want, err := os.ReadFile(one)
	require.NoError(t, err)
	got, err := os.ReadFile(two)
	require.NoError(t, err)
	require.True(t, string(want) == string(got), "%s and %s", one, two)
}

// TestVersion finds a file that was left behind when the version changed.
func TestVersion(t *testing.T) {
	version := captured(t, "../Makefile", `(?m)^VERSION := (\S+)$`)
	for file, pattern := range map[string]string{
		"../CMakeLists.txt":                  `(?m)^project\(tolk_memory VERSION (\S+) `,
		rust + "/tolk-memory/Cargo.toml":     `(?m)^version = "(.*)"$`,
		rust + "/tolk-memory-sys/Cargo.toml": `(?m)^version = "(.*)"$`,
	} {
		require.Equal(t, version, captured(t, file, pattern), file)
	}
	require.Equal(t, version, captured(t, rust+"/tolk-memory/Cargo.toml", `tolk-memory-sys = .* version = "=(.*)"`))
	var header []string
	for _, part := range []string{"MAJOR", "MINOR", "PATCH"} {
		header = append(header, captured(t, "../include/tolk_memory.h", `(?m)^#define TOLK_VERSION_`+part+` (\d+)$`))
	}
	require.Equal(t, version, strings.Join(header, "."))
}

// captured is the first group of a pattern in a file.
func captured(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	require.NotNil(t, found, "%s has no %s", file, pattern)
	return string(found[1])
}
