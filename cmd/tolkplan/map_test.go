package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLargePagesAreToldOf: a page of more buffers than browsers like is drawn with a word about it; other forms, and smaller pages, without.
func TestLargePagesAreToldOf(t *testing.T) {
	t.Chdir(t.TempDir())
	written(t, "large.csv", "gen", "chain", "-n", "200001")
	written(t, "small.csv", "gen", "chain", "-n", "200000")
	for _, c := range []struct {
		input, output string
		warned        bool
	}{{"large.csv", "map.html", true}, {"large.csv", "map.svg", false}, {"small.csv", "map.html", false}} {
		_, errText, code := call("map", "--placers", "tlsf", c.input, "-o", c.output)
		require.Zero(t, code, errText)
		if !c.warned {
			require.Empty(t, errText)
			continue
		}
		require.Equal(t, "tolkplan: map.html: a page of 200001 buffers has about 20 MB, which browsers are slow with; an .svg is a tenth of that\n", errText)
		info, err := os.Stat(c.output)
		require.NoError(t, err)
		require.InEpsilon(t, 20e6, info.Size(), 0.3)
	}
}
