package read

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	maxFile     = 4 << 30 // bytes of a file
	maxUnpacked = 1 << 30 // bytes of a gzipped file, unpacked
)

// gzipMark is what gzipped data begin with.
const gzipMark = "\x1f\x8b"

// Settings say how files are read where they leave it open.
type Settings struct {
	Inclusive bool             // the upper entry of CSV lifetimes is the last, whatever its column is called
	Dims      map[string]int64 // the sizes of a model's dynamic dimensions
}

// Stdin is the path that stands for standard input.
const Stdin = "-"

// stdinName is what messages call standard input.
const stdinName = "standard input"

// File is what a file holds: one Work, or one a line of JSON. Errors are an [*Error].
func File(path string, s Settings) ([]*Work, error) {
	data, err := load(path)
	if err != nil {
		return nil, err
	}
	if path == Stdin {
		path = stdinName
	}
	return Data(path, data, s)
}

// Data is what the bytes of a file hold; name is what messages call it. The form is told by the bytes, but for ONNX, which
// begins with nothing of its own and goes by its name too.
func Data(name string, data []byte, s Settings) ([]*Work, error) {
	if bytes.HasPrefix(data, []byte(gzipMark)) {
		unpacked, err := unpack(name, data)
		if err != nil {
			return nil, err
		}
		name, data = strings.TrimSuffix(name, ".gz"), unpacked
	}
	switch form(name, data) {
	case tflite:
		return one(readTFLite(name, data, s.Dims))
	case onnx:
		return one(readONNX(name, data, s.Dims))
	case jsonText:
		return readJSON(name, data)
	case foreign:
		return nil, failure(name, "this is a %s, which tolkplan does not read; %s", foreignName(name, data), whatIsRead)
	case binary:
		return nil, failure(name, "this is no text, nor a model that tolkplan knows; %s", whatIsRead)
	}
	return one(readCSV(name, data, s.Inclusive))
}

const whatIsRead = "it reads schedules and lifetimes as JSON, lifetimes as CSV, .tflite and .onnx"

func one(w *Work, err error) ([]*Work, error) {
	if err != nil {
		return nil, err
	}
	return []*Work{w}, nil
}

type fileForm int

const (
	csvText fileForm = iota
	jsonText
	tflite
	onnx
	foreign
	binary
)

func form(name string, data []byte) fileForm {
	extension := strings.ToLower(filepath.Ext(name))
	text := bytes.TrimLeft(withoutMark(data[:min(len(data), 4096)]), " \t\r\n")
	switch {
	case foreignName(name, data) != "":
		return foreign
	case identifier(data) == "TFL3" || extension == ".tflite":
		return tflite
	case extension == ".onnx":
		return onnx
	case bytes.HasPrefix(text, []byte("{")) || extension == ".json" || extension == ".jsonl":
		return jsonText
	case len(data) > 1 && data[0] == 8 && data[1] < 32: // the field ir_version, a small number
		return onnx
	case bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0:
		return binary
	}
	return csvText
}

// withoutMark is a text without the byte order mark that some editors begin it with.
func withoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// foreignName is what a file is that people may take for one of those read here.
func foreignName(name string, data []byte) string {
	switch {
	case identifier(data) == "ORTM":
		return "model of ONNX Runtime's own format (.ort)"
	case strings.HasSuffix(name, ".pb") || strings.HasSuffix(name, ".hlo"):
		return "protobuf of XLA or TensorFlow"
	case bytes.HasPrefix(data, []byte("GGUF")):
		return "GGUF file, which holds weights and no order of work"
	}
	return ""
}

// identifier is the file identifier of a flatbuffer.
func identifier(data []byte) string {
	if len(data) < 8 {
		return ""
	}
	return string(data[4:8])
}

func load(path string) ([]byte, error) {
	if path == Stdin {
		return readUpTo(stdinName, os.Stdin, maxFile)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, systemError(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, systemError(path, err)
	}
	if !info.Mode().IsRegular() {
		return readUpTo(path, file, maxFile)
	}
	if info.Size() > maxFile {
		return nil, failure(path, "the file has %d bytes; at most %d are read", info.Size(), int64(maxFile))
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, systemError(path, err)
	}
	return data, nil
}

// systemError is an error of the operating system, without its own mention of the file.
func systemError(path string, err error) error {
	var fault *os.PathError
	if errors.As(err, &fault) {
		err = fault.Err
	}
	return failure(path, "%v", err)
}

func readUpTo(name string, r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, systemError(name, err)
	}
	if int64(len(data)) > limit {
		return nil, failure(name, "it has more than the %d bytes that are read", limit)
	}
	return data, nil
}

// unpack is what gzipped data hold, in one part or in several one behind the other.
func unpack(name string, data []byte) ([]byte, error) {
	var all bytes.Buffer
	packed := bytes.NewReader(data)
	var zip gzip.Reader
	for packed.Len() > 0 {
		from := packed.Size() - int64(packed.Len())
		if from > 0 && !bytes.HasPrefix(data[from:], []byte(gzipMark)) {
			return nil, failureAt(name, from, "from there on it is no gzipped data, which it is before")
		}
		err := zip.Reset(packed)
		if err == nil {
			zip.Multistream(false)
			_, err = io.Copy(&all, io.LimitReader(&zip, maxUnpacked+1-int64(all.Len())))
		}
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return nil, failure(name, "the gzipped data end too early")
		case err != nil:
			return nil, failureAt(name, from, "of the gzipped data that begin there: %v", err)
		case all.Len() > maxUnpacked:
			return nil, failure(name, "it has more than the %d bytes that are read", maxUnpacked)
		}
	}
	return all.Bytes(), nil
}
