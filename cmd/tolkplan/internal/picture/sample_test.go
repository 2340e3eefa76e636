package picture

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
	"libtolk_memory/internal/generate"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// modelPicture is a real model before planning, and planned by two placers.
func modelPicture(t testing.TB, name string) Picture {
	p := Picture{Title: name}
	for _, placer := range []placement.Placer{placement.TLSF, placement.Best} {
		schedule, plan := planModel(t, name, placer)
		taken := takers(t, schedule)
		if len(p.Plans) == 0 {
			p.Entries = entryLabels(schedule)
			p.Plans = append(p.Plans, before(plan, taken))
		}
		p.Plans = append(p.Plans, after(placer.String(), plan, taken))
	}
	return p
}

func planModel(t testing.TB, name string, placer placement.Placer) (ir.Node, *planner.Plan) {
	file, err := os.Open(fixture.Path(t, "models", name+".json.gz"))
	require.NoError(t, err)
	defer file.Close()
	zip, err := gzip.NewReader(file)
	require.NoError(t, err)
	schedule, err := io.ReadAll(zip)
	require.NoError(t, err)
	g := ir.NewGraph()
	read, err := text.ReadSchedule(g, schedule)
	require.NoError(t, err)
	node := g.At(uint32(read.Op))
	plan, err := planner.MemoryPlanRewrite(context.Background(), node, planner.Options{Held: read.Held, Placer: placer, Print: func(string) {}})
	require.NoError(t, err)
	return node, plan
}

func takers(t testing.TB, schedule ir.Node) map[ir.Op][]int64 {
	by := map[ir.Op][]int64{}
	for entry := range schedule.NumSources() {
		taken, err := planner.Taken(schedule.Source(entry))
		require.NoError(t, err)
		for _, s := range taken {
			by[s.Op()] = append(by[s.Op()], int64(entry))
		}
	}
	return by
}

func entryLabels(schedule ir.Node) []string {
	labels := make([]string, schedule.NumSources())
	for entry := range labels {
		labels[entry] = fmt.Sprintf("%v", schedule.Source(entry).Kind())
	}
	return labels
}

func bufferOf(number int, place planner.Place, takers map[ir.Op][]int64) Buffer {
	return Buffer{
		ID: fmt.Sprint(number), First: int64(place.First), End: int64(place.End),
		Offset: place.Offset, Bytes: place.Bytes, Need: place.Need, Takers: takers[place.Buffer],
	}
}

func after(name string, plan *planner.Plan, takers map[ir.Op][]int64) Plan {
	p := Plan{Name: name}
	for _, a := range plan.Arenas {
		p.Arenas = append(p.Arenas, Arena{Name: strings.Join(a.Devices, ", "), Size: a.Size, Bound: a.LowerBound, Peak: int64(a.PeakEntry), Optimal: a.Proof != placement.NoProof})
	}
	for i, place := range plan.Places {
		a := &p.Arenas[place.Arena]
		a.Buffers = append(a.Buffers, bufferOf(i, place, takers))
	}
	return p
}

// before is the buffers each on bytes of its own.
func before(plan *planner.Plan, takers map[ir.Op][]int64) Plan {
	p := after("before", plan, takers)
	for i := range p.Arenas {
		a := &p.Arenas[i]
		a.Size, a.Optimal = 0, false
		for j := range a.Buffers {
			a.Buffers[j].Offset = a.Size
			a.Size += a.Buffers[j].Need
		}
	}
	return p
}

// generatedPicture is generated lifetimes, placed by TLSF.
func generatedPicture(t testing.TB, title string, p *problem.Problem) Picture {
	answer, err := placement.Place(context.Background(), p, placement.Options{})
	require.NoError(t, err)
	a := Arena{Size: answer.Size, Bound: answer.LowerBound, Peak: answer.PeakEntry, Optimal: answer.Optimal}
	for i, b := range p.Buffers {
		a.Buffers = append(a.Buffers, Buffer{
			ID: fmt.Sprint(i), Name: fmt.Sprintf("buffer %d", i), First: b.First, End: b.End,
			Offset: answer.Offsets[i], Bytes: b.Bytes, Need: p.Need(i), Takers: slices.Compact([]int64{b.First, b.End - 1}),
		})
	}
	return Picture{Title: title, Plans: []Plan{{Name: "tlsf", Arenas: []Arena{a}}}}
}

// pictures is one of each kind: small, real and large.
func pictures(t testing.TB) map[string]Picture {
	all := map[string]Picture{"small": smallPicture(), "hostile": hostilePicture()}
	for _, name := range []string{"resnet50_infer_bs8", "resnet18_train_adam_bs8_64px", "mnist_conv_train_dp2_gather_bs512", "mlp_pipe4_micro4_bs512", "llama3_1b_decode"} {
		all[name] = modelPicture(t, name)
	}
	for _, n := range []int{10_000, 100_000} {
		all[fmt.Sprintf("training_%d", n)] = generatedPicture(t, fmt.Sprintf("Training, %d buffers", n), generate.Training(n, 1))
		all[fmt.Sprintf("random_%d", n)] = generatedPicture(t, fmt.Sprintf("Random, %d buffers", n), generate.Random(n, 1))
	}
	return all
}

// smallPicture is ten buffers whose places are plain to see:
//
//	bytes ^ +-------+
//	   80 | | j     |   a held one; the peak is entry 2 with 72
//	      + ...
func smallPicture() Picture {
	buffers := []Buffer{
		{ID: "0", Name: "input", First: 0, End: 2, Offset: 0, Bytes: 16_000_000, Need: 16_000_000, Takers: []int64{0, 1}},
		{ID: "1", Name: "conv1", First: 0, End: 4, Offset: 16_000_000, Bytes: 24_000_000, Need: 24_000_000, Takers: []int64{0, 1, 3}},
		{ID: "2", Name: "relu1", First: 1, End: 3, Offset: 40_000_000, Bytes: 24_000_000, Need: 24_000_000, Takers: []int64{1, 2}},
		{ID: "3", Name: "pool", First: 2, End: 5, Offset: 0, Bytes: 7_999_990, Need: 8_000_000, Takers: []int64{2, 4}},
		{ID: "4", Name: "conv2", First: 2, End: 6, Offset: 64_000_000, Bytes: 16_000_000, Need: 16_000_000, Takers: []int64{2, 3, 5}},
		{ID: "5", Name: "add", First: 3, End: 6, Offset: 40_000_000, Bytes: 8_000_000, Need: 8_000_000, Takers: []int64{3, 5}},
		{ID: "6", Name: "norm", First: 4, End: 8, Offset: 16_000_000, Bytes: 20_000_000, Need: 20_000_000, Takers: []int64{4, 7}},
		{ID: "7", Name: "kv cache", First: 0, End: 8, Offset: 80_000_000, Bytes: 4_000_000, Need: 4_000_000, Held: true},
		{ID: "8", Name: "dense", First: 6, End: 8, Offset: 36_000_000, Bytes: 12_000_000, Need: 12_000_000, Takers: []int64{6, 7}},
		{ID: "9", Name: "logits", First: 7, End: 8, Offset: 0, Bytes: 400, Need: 512, Takers: []int64{7}},
	}
	apart := slices.Clone(buffers)
	size := int64(0)
	for i := range apart {
		apart[i].Offset = size
		size += apart[i].Need
	}
	return Picture{
		Title:   "A small network",
		Entries: []string{"conv1", "relu1", "pool", "conv2", "norm", "add", "dense", "softmax"},
		Plans: []Plan{
			{Name: "tlsf", Arenas: []Arena{{Name: "CUDA:0", Size: 84_000_000, Bound: 76_000_000, Peak: 2, Buffers: buffers}}},
			{Name: "before", Arenas: []Arena{{Name: "CUDA:0", Size: size, Bound: 76_000_000, Peak: 2, Buffers: apart}}},
		},
	}
}

// hostilePicture is what nobody means to draw: names that try to leave their place, sizes beyond 2^53, nothing at all.
func hostilePicture() Picture {
	const large = 1<<62 - 1
	return Picture{
		Title:   `</title><script>document.title = "broken"</script> & "quotes"`,
		Entries: []string{"</script><b>", "\u202eback\u2028wards", string([]byte{0xff, 0xfe}), "e\x1b[31m"},
		Plans: []Plan{
			{Name: `<img src=x onerror="document.title='broken'">`, Arenas: []Arena{
				{Name: "'\"><script>", Size: large, Bound: large - 7, Peak: 1, Buffers: []Buffer{
					{ID: "</script><script>document.title='broken'</script>", Name: "</script><script>document.title='broken'</script>", First: 0, End: 3, Bytes: large / 2, Need: large/2 + 1, Takers: []int64{0, 1, 2}},
					{ID: "\U0001F980\u202e", Name: "<!--<script>", First: 1, End: 2, Offset: large/2 + 1, Bytes: large / 2, Need: large / 2},
					{ID: "empty", First: 2, End: 4, Takers: []int64{}},
				}},
				{Name: "no buffers"},
			}},
			{Name: "no arenas"},
		},
	}
}
