package read

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawnValue is any JSON value, up to a depth.
func drawnValue(t *rapid.T, depth int) any {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.StringOf(rapid.SampledFrom([]rune(`ab"\{}[],: é`+"\n"))).Draw(t, "string")
	case 1:
		return rapid.Float64Range(-1e300, 1e300).Draw(t, "number")
	case 2:
		return rapid.Bool().Draw(t, "bool")
	case 3:
		return nil
	case 4:
		list := make([]any, rapid.IntRange(0, 3).Draw(t, "items"))
		for i := range list {
			list[i] = drawnValue(t, depth-1)
		}
		return list
	}
	return drawnObject(t, depth)
}

func drawnObject(t *rapid.T, depth int) map[string]any {
	object := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "keys") {
		object[rapid.SampledFrom([]string{"", "a", "schedule", `"`, `\`, "{", "é"}).Draw(t, "key")] = drawnValue(t, depth-1)
	}
	return object
}

// TestLaw_SplitFindsWhatPackageJSONFinds, in texts of several objects with any space between.
func TestLaw_SplitFindsWhatPackageJSONFinds(t *testing.T) {
	space := rapid.SampledFrom([]string{"", " ", "\n", "\r\n\t"})
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		var want []map[string]json.RawMessage
		for range rapid.IntRange(0, 3).Draw(t, "objects") {
			one, err := json.MarshalIndent(drawnObject(t, 3), space.Draw(t, "prefix"), space.Draw(t, "indent"))
			require.NoError(t, err)
			var keys map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(one, &keys))
			want = append(want, keys)
			text.WriteString(space.Draw(t, "before") + string(one) + space.Draw(t, "after"))
		}
		documents, err := split("a.json", text.Bytes())
		require.NoError(t, err)
		require.Len(t, documents, len(want))
		for i, d := range documents {
			require.Len(t, d.keys, len(want[i]))
			require.True(t, json.Valid(text.Bytes()[d.from:d.to]))
			for key, at := range d.keys {
				require.Equal(t, string(want[i][key]), text.String()[at.from:at.to])
			}
		}
	})
}

func TestSplitFaultsPointAtThePlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{`, "a.json:1:2: the text ends too early"},
		{`{"a`, "a.json:1:4: the text ends too early"},
		{`{"a\`, "the text ends too early"},
		{`{"a\"`, "the text ends too early"},
		{`{"a"`, "the text ends too early"},
		{`{"a":`, "the text ends too early"},
		{`{"a": [{}`, "the text ends too early"},
		{`{"a": 1`, "the text ends too early"},
		{`{1: 1}`, "a.json:1:2: '1' stands where there must be a key in quotation marks"},
		{`{"\x": 1}`, "a.json:1:2: the key: invalid character 'x' in string escape code"},
		{`{"a" 1}`, "a.json:1:6: '1' stands where there must be a colon"},
		{`{"a": }`, "a.json:1:7: '}' stands where there must be a value"},
		{`{"a": nul}`, "a.json:1:7: 'n' stands where there must be a value"},
		{`{"a": 1 2}`, "a.json:1:9: '2' stands where there must be a comma or }"},
		{`{"a": 1,}`, "a.json:1:9: '}' stands where there must be a key"},
		{"{}\n}", "a.json:2:1: '}' stands where there must be a value"},
	} {
		_, err := split("a.json", []byte(c.text))
		require.ErrorContains(t, err, c.want, c.text)
	}
}
