package tests

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "libtolk_memory/"

// mayImport is who may import whom, of what ships. Beside these each imports the standard library only, and
// only capi imports "C".
var mayImport = map[string][]string{
	"ir":                {},
	"tlsf":              {},
	"placement/problem": {},
	"placement/verify":  {"placement/problem"},
	"placement":         {"placement/problem", "placement/verify", "tlsf"},
	"planner":           {"ir", "placement", "placement/problem"},
	"text":              {"ir", "placement", "placement/problem", "planner"},
	"capi":              {"ir", "placement", "placement/problem", "placement/verify", "planner", "text", "tlsf"},
}

func TestImports(t *testing.T) {
	for name, allowed := range mayImport {
		out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, module+name).Output()
		require.NoError(t, err)
		for _, path := range strings.Fields(string(out)) {
			ours, isOurs := strings.CutPrefix(path, module)
			first, _, _ := strings.Cut(path, "/")
			switch {
			case isOurs:
				require.Contains(t, allowed, ours, "%s imports %s", name, path)
			case path == "C":
				require.Equal(t, "capi", name, "%s imports C", name)
			default:
				require.NotContains(t, first, ".", "%s imports %s, which is not of the standard library", name, path)
			}
		}
	}
}

// TestShippedPackagesAreListed keeps a new package from slipping past mayImport, and what cmd/ wants out of the library.
func TestShippedPackagesAreListed(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}}", module+"capi").Output()
	require.NoError(t, err)
	for _, path := range strings.Fields(string(out)) {
		if name, ours := strings.CutPrefix(path, module); ours {
			require.Contains(t, mayImport, name)
		}
	}
}
