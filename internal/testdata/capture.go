package testdata

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
)

// Capture is the value of a gzipped file of JSON. Whatever is wrong with the file fails the test.
func Capture[T any](t testing.TB, path string) (value T) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := json.NewDecoder(zip).Decode(&value); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return value
}
