package picture

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var pagesDir = flag.String("pages", "", "write the pages of all sample pictures to this folder")

var writers = map[string]func(io.Writer, Picture) error{
	".html": HTML, ".svg": SVG, ".trace.json": Trace,
	".txt": func(w io.Writer, p Picture) error { return Text(w, p, 100, 30) },
}

// TestWritePages writes pages to look at.
func TestWritePages(t *testing.T) {
	if *pagesDir == "" {
		t.Skip("skipped: give -pages DIR to write pages to look at")
	}
	for name, p := range pictures(t) {
		for ending, write := range writers {
			file, err := os.Create(filepath.Join(*pagesDir, name+ending))
			require.NoError(t, err)
			require.NoError(t, write(file, p))
			require.NoError(t, file.Close())
		}
	}
}
