// Package testdata finds and reads the files that tests of this module share.
package testdata

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Path is the path of a file under tests/data of the module.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	return filepath.Join(append([]string{root(t), "tests", "data"}, elem...)...)
}

// Shared is the path of a file under the folder "shared" next to the module, which holds more of the same than the module
// carries. It skips the test, and says so, where that file is absent.
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{filepath.Dir(root(t)), "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("skipped: the shared test data are not here: %v", err)
	}
	return path
}

// Lines is the values of a file of JSON values, one a line. Whatever is wrong with the file fails the test.
func Lines[T any](t testing.TB, path string) []T {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var values []T
	for decoder := json.NewDecoder(file); ; {
		var value T
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return values
		}
		if err != nil {
			t.Fatalf("%s: value %d: %v", path, len(values)+1, err)
		}
		values = append(values, value)
	}
}

// root is the folder of go.mod: the nearest above the folder of the package under test.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}
