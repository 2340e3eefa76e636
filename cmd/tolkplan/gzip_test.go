package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGzippedFiles: whatever is read may be gzipped, a plan by itself and what it is of among it.
func TestGzippedFiles(t *testing.T) {
	inData(t)
	written(t, "answer.json", "plan", "lifetimes.csv")
	for _, path := range []string{"lifetimes.csv", "answer.json", "schedule.json", "bare.json", "model.tflite", "model.onnx"} {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var packed bytes.Buffer
		zip := gzip.NewWriter(&packed)
		_, err = zip.Write(data)
		require.NoError(t, err)
		require.NoError(t, zip.Close())
		require.NoError(t, os.WriteFile(path+".gz", packed.Bytes(), 0o600))
	}
	for _, line := range [][]string{{"plan", "lifetimes.csv.gz", "schedule.json.gz", "model.tflite.gz"}, {"plan", "model.onnx.gz", "--dim", "batch=1"},
		{"verify", "answer.json.gz", "--of", "lifetimes.csv.gz"}, {"verify", "bare.json.gz", "--of", "schedule.json.gz"}} {
		done(t, line...)
	}
}
