package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
)

// namesHeader is capi/names.h: the names and sizes of package ir, for C functions that answer without entering Go.
func namesHeader() string {
	var text strings.Builder
	text.WriteString("/* Made from package ir by: go test ./tests -run CNames -update */\n\n")
	text.WriteString("static const char *const kind_names[] = {\n    NULL,\n")
	for _, k := range ir.Kinds() {
		fmt.Fprintf(&text, "    %q,\n", k.String())
	}
	text.WriteString("};\n\nstatic const struct {\n  const char *name;\n  uint32_t size;\n} dtypes[] = {\n")
	for _, d := range ir.Dtypes() {
		fmt.Fprintf(&text, "    {%q, %d},\n", d.String(), d.Size())
	}
	text.WriteString("};\n")
	return text.String()
}

func TestCNamesAreThoseOfTheTable(t *testing.T) {
	file := filepath.Join("..", "capi", "names.h")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(namesHeader()), 0o644))
	}
	committed, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, namesHeader(), string(committed))
}
