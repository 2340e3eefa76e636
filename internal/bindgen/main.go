// Bindgen writes the layers of other languages that say what include/tolk_memory.h says, from that header.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// command is how to run it.
const command = "go run ./internal/bindgen"

// outputs is who writes which file, by its path from the root of the module.
var outputs = map[string]func(header) string{
	"bindings/layout.txt":                           layout,
	"bindings/python/tolk_memory/_raw.py":           python,
	"bindings/rust/tolk-memory-sys/src/raw.rs":      rust,
	"bindings/rust/tolk-memory-sys/tests/layout.rs": rustLayout,
}

// generate is the text of every output, by path.
func generate(root string) (map[string]string, error) {
	h, err := readHeader(filepath.Join(root, "include", "tolk_memory.h"))
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for path, write := range outputs {
		texts[path] = write(h)
	}
	return texts, nil
}

func run(root string) error {
	texts, err := generate(root)
	if err != nil {
		return err
	}
	for path, text := range texts {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
