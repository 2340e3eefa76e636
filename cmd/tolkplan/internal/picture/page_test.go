package picture

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
)

// TestPage tries the page in a real browser, and reads back what it shows.
func TestPage(t *testing.T) {
	b := startBrowser(t)
	for name, test := range map[string]func(*testing.T, *browser){
		"hover tells the buffer under the pointer":        hover,
		"a click pins a buffer":                           clickPins,
		"search finds by name and goes on":                search,
		"the wheel zooms about the pointer":               wheelZooms,
		"buttons and keys zoom":                           buttonsZoom,
		"a drag moves the view":                           dragPans,
		"plans are switched and keep what is pinned":      switchPlans,
		"arenas are switched":                             switchArenas,
		"keys go from buffer to buffer":                   keysGo,
		"keys reach every buffer":                         keysReachAll,
		"the peak is marked and listed":                   peakIsListed,
		"the theme follows the reader and the switch":     themes,
		"it prints in black on white":                     prints,
		"names and numbers from anywhere are shown whole": hostile,
		"pictures at the edges open":                      edges,
		"a narrow window holds it":                        narrow,
		"what can be used has a name":                     accessibleNames,
	} {
		t.Run(name, func(t *testing.T) { test(t, b) })
	}
}

func hover(t *testing.T, b *browser) {
	for _, p := range []Picture{smallPicture(), modelPicture(t, "resnet18_train_adam_bs8_64px"), generatedPicture(t, "Random", generate.Random(10_000, 1))} {
		tab := b.open(t, p, 1280, 800)
		arena := shown(&p)
		area, random, found := tab.rect("#map"), rand.New(rand.NewPCG(1, 2)), 0
		for range 40 {
			x, y := area.Left+90+random.Float64()*(area.Width-130), area.Top+130+random.Float64()*(area.Height-190)
			tab.move(x, y)
			entry, byte := tab.pointedAt()
			want := bufferAt(arena, entry, byte)
			if want == nil {
				continue
			}
			found++
			require.Equal(t, want.label(), tab.text("#tip h2"))
			require.Contains(t, tab.text("#tip"), fmt.Sprintf("%s B", grouped(want.Offset)))
		}
		require.Greater(t, found, 10, p.Title)
		tab.move(2, 2)
		require.Empty(t, tab.text("#tip"))
	}
}

// shown is the arena that a page opens with: the largest of the smallest plan.
func shown(p *Picture) *Arena {
	total := func(plan Plan) (sum int64) {
		for _, a := range plan.Arenas {
			sum += a.Size
		}
		return sum
	}
	plan := slices.MinFunc(p.Plans, func(a, b Plan) int { return int(total(a) - total(b)) })
	arena := slices.MaxFunc(plan.Arenas, func(a, b Arena) int { return int(a.Size - b.Size) })
	return &arena
}

// bufferAt is the buffer that has a byte at an entry; brute force.
func bufferAt(a *Arena, entry, byte int64) *Buffer {
	for i := range a.Buffers {
		if b := &a.Buffers[i]; b.First <= entry && entry < b.End && b.Offset <= byte && byte < b.Offset+b.Need {
			return b
		}
	}
	return nil
}

var readout = regexp.MustCompile(`^entry ([\d,]+).* · load .* · byte ([\d,]+)$`)

// pointedAt is the entry and the byte that the page says are under the pointer.
func (tab *tab) pointedAt() (entry, byte int64) {
	tab.Helper()
	text := tab.text("#readout")
	parts := readout.FindStringSubmatch(text)
	require.NotNil(tab, parts, "the readout is %q", text)
	return number(tab, parts[1]), number(tab, parts[2])
}

func number(t require.TestingT, text string) int64 {
	n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
	require.NoError(t, err)
	return n
}

// grouped is a number as the page writes it: its thousands apart.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// at is the middle of a buffer in the window; the map has the keyboard afterwards.
func (tab *tab) at(name string) (x, y float64) {
	tab.Helper()
	tab.focusMap()
	tab.press(kb.Home)
	for range 20 {
		if tab.text("#tip h2") == name {
			return tab.rect("#outline").middle()
		}
		tab.press(kb.PageDown)
	}
	require.Fail(tab, "no buffer of that name", name)
	return 0, 0
}

func clickPins(t *testing.T, b *browser) {
	tab := b.open(t, smallPicture(), 1280, 800)
	tab.clickAt(tab.at("relu1"))
	require.Equal(t, "relu1", tab.text("#details h2"))
	require.Equal(t, []string{
		"Size24.00 MB (24,000,000 B)", "Lifetimeentries 1 to 2, 2 entries", "Offset40.00 MB (40,000,000 B)", "Taken by1 relu1, 2 pool", "Number2",
	}, plain(tab.texts("#details dl > div")))
	require.Equal(t, []string{"conv1", "input", "conv2", "pool", "kv cache"}, tab.texts("#details .list:nth-of-type(2) .name"))
	require.Equal(t, []string{"add", "dense"}, tab.texts("#details .list:nth-of-type(3) .name"))

	tab.click("#details .list:nth-of-type(3) button")
	require.Equal(t, "add", tab.text("#details h2"))
	require.Equal(t, []string{"relu1", "dense"}, tab.texts("#details .list:nth-of-type(3) .name"))
	tab.click(".close")
	require.Empty(t, tab.text("#details"))

	tab.clickAt(tab.at("pool"))
	require.Contains(t, plain(tab.texts("#details dl > div")), "Elements8.00 MB (7,999,990 B)")
	free := tab.rect("#map")
	tab.clickAt(free.Left+0.6*free.Width, free.Top+free.Height-50)
	require.Equal(t, "pool", tab.text("#details h2"), "the click was on the axis, or on another buffer")
	tab.press(kb.Escape)
	require.Empty(t, tab.text("#details"))
}

func plain(texts []string) []string {
	for i := range texts {
		texts[i] = strings.ReplaceAll(texts[i], "\u00a0", " ")
	}
	return texts
}

func search(t *testing.T, b *browser) {
	tab := b.open(t, smallPicture(), 1280, 800)
	before := tab.look()
	tab.focusMap()
	tab.slash()
	tab.press("C", "O", "n", "v")
	require.Equal(t, "2 of 10", tab.text("#found"))
	require.Equal(t, []string{"conv1", "conv2"}, tab.texts("#matches .name"))
	require.False(t, alike(before, tab.look()), "what is not found steps back")
	for _, want := range []string{"conv1", "conv2", "conv1"} {
		tab.press(kb.Enter)
		require.Equal(t, want, tab.text("#details h2"))
	}
	tab.press(kb.Backspace, kb.Backspace, kb.Backspace, kb.Backspace)
	tab.press("n", "o", "n", "e")
	require.Equal(t, "0 of 10", tab.text("#found"))
	require.Contains(t, tab.text("#matches"), "No buffer has this in its name.")
}

// look is what the map shows: the mean of each of the cells of a grid over its canvas. Letters are never drawn twice alike, to the
// pixel, so that pixels themselves cannot be compared.
func (tab *tab) look() []float64 {
	tab.Helper()
	return eval[[]float64](tab, `(canvas => {
		const { width, height } = canvas, { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
		const sums = new Array(32 * 24).fill(0);
		for (let y = 0; y < height; y++) {
			for (let x = 0; x < width; x++) {
				const at = 4 * (y * width + x);
				sums[32 * Math.floor(24 * y / height) + Math.floor(32 * x / width)] += data[at] + data[at + 1] + data[at + 2];
			}
		}
		return sums.map(sum => sum * 32 * 24 / (3 * width * height));
	})(document.querySelector("#canvas"))`)
}

// alike reports whether two looks are the same to the eye: no cell is more than 3 of 255 brighter in one.
func alike(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 3 {
			return false
		}
	}
	return true
}

func wheelZooms(t *testing.T, b *browser) {
	p := modelPicture(t, "resnet18_train_adam_bs8_64px")
	tab := b.open(t, p, 1280, 800)
	area := tab.rect("#map")
	x, y := math.Round(area.Left+300), math.Round(area.Top+area.Height-80)
	tab.move(x, y)
	entry, byte := tab.pointedAt()
	name, small := tab.text("#tip h2"), tab.rect("#outline")
	require.NotEmpty(t, name)
	tab.wheel(x, y, -100, 0)
	nowEntry, nowByte := tab.pointedAt()
	require.InDelta(t, entry, nowEntry, 1)
	require.InDelta(t, byte, nowByte, 0.01*float64(shown(&p).Size))
	require.Equal(t, name, tab.text("#tip h2"))
	require.Greater(t, tab.rect("#outline").Height, small.Height*1.1)

	for held, grows := range map[chromedp.Modifier][2]bool{chromedp.ModifierShift: {true, false}, chromedp.ModifierAlt: {false, true}} {
		tab.focusMap()
		tab.press("0")
		tab.move(x, y)
		tab.wheel(x, y, -100, held)
		now := tab.rect("#outline")
		require.Equal(t, grows, [2]bool{now.Width > small.Width*1.02, now.Height > small.Height*1.02}, "modifier %d", held)
	}
}

func buttonsZoom(t *testing.T, b *browser) {
	tab := b.open(t, smallPicture(), 1280, 800)
	tab.at("relu1")
	all := tab.rect("#outline")
	for _, key := range []string{"+", "-"} {
		tab.press(key)
	}
	require.InDelta(t, all.Width, tab.rect("#outline").Width, 0.5, "in and out again")
	tab.press("+", "+")
	require.Greater(t, tab.rect("#outline").Width, 1.4*all.Width)
	tab.press("0")
	require.Equal(t, all, tab.rect("#outline"))

	before := tab.look()
	tab.click("#zoom-in")
	require.False(t, alike(before, tab.look()))
	tab.click("#zoom-all")
	require.True(t, alike(before, tab.look()))
}

func dragPans(t *testing.T, b *browser) {
	tab := b.open(t, smallPicture(), 1280, 800)
	tab.at("conv1")
	tab.press("+", "+")
	before := tab.rect("#outline")
	x, y := before.middle()
	tab.drag(x, y, x-60, y+40)
	tab.move(x-60, y+40)
	require.Equal(t, "conv1", tab.text("#tip h2"))
	require.Empty(t, tab.text("#details"), "a drag pins nothing")
	tab.press("0")
	tab.at("conv1")
	require.NotEqual(t, before, tab.rect("#outline"))
}

func switchPlans(t *testing.T, b *browser) {
	p := smallPicture()
	tab := b.open(t, p, 1280, 800)
	require.Contains(t, tab.text("#summary"), "84.00 MB · 10.5 % above the lower bound of 76.00 MB · 10 buffers · 8 entries")
	require.Equal(t, []string{"tlsf", "before"}, tab.texts("#plans .name"))
	tab.clickAt(tab.at("add"))
	before := tab.look()
	tab.click("#plans label:nth-of-type(2)")
	require.Contains(t, tab.text("#summary"), "132.00 MB · 73.7 % above")
	require.Equal(t, "add", tab.text("#details h2"))
	require.Contains(t, plain(tab.texts("#details dl > div")), "Offset88.00 MB (88,000,000 B)")
	require.NotContains(t, tab.texts("#details .list:nth-of-type(3) .name"), "relu1", "each has bytes of its own")
	require.False(t, alike(before, tab.look()))
	tab.press(kb.ArrowUp)
	require.Contains(t, tab.text("#summary"), "84.00 MB", "the arrow keys choose too")
}

func switchArenas(t *testing.T, b *browser) {
	p := modelPicture(t, "mnist_conv_train_dp2_gather_bs512")
	tab := b.open(t, p, 1280, 800)
	for i, a := range p.Plans[2].Arenas {
		tab.click(fmt.Sprintf("#arenas label:nth-of-type(%d)", i+1))
		require.Contains(t, tab.text("#summary"), fmt.Sprintf("%s %s", a.Name, bytesText(float64(a.Size))))
		require.Contains(t, tab.text("#summary"), fmt.Sprintf("%d buffers", len(a.Buffers)))
	}
}

func keysGo(t *testing.T, b *browser) {
	tab := b.open(t, smallPicture(), 1280, 800)
	tab.focusMap()
	for _, step := range []struct{ key, to string }{
		{kb.Home, "input"}, {kb.ArrowUp, "conv1"}, {kb.ArrowUp, "relu1"}, {kb.ArrowRight, "add"}, {kb.ArrowLeft, "relu1"},
		{kb.ArrowDown, "conv1"}, {kb.ArrowRight, "norm"}, {kb.ArrowDown, "pool"}, {kb.End, "logits"}, {kb.PageUp, "dense"},
	} {
		tab.press(step.key)
		require.Equal(t, step.to, tab.text("#tip h2"))
		require.True(t, strings.HasPrefix(tab.texts("#spoken")[0], step.to+": size "), "spoken is %q", tab.texts("#spoken"))
	}
	tab.press(kb.Enter)
	require.Equal(t, "dense", tab.text("#details h2"))
	require.Contains(t, tab.texts("#spoken")[0], "Pinned. dense: size")
	tab.press(kb.Escape)
	require.Empty(t, tab.text("#details"))
	tab.press(kb.Tab)
	require.Empty(t, tab.text("#tip"), "tab leaves the map")
}

func keysReachAll(t *testing.T, b *browser) {
	p := modelPicture(t, "resnet50_infer_bs8")
	tab := b.open(t, p, 1280, 800)
	tab.focusMap()
	seen := map[string]bool{}
	for range shown(&p).Buffers {
		tab.press(kb.PageDown)
		seen[tab.text("#tip h2")] = true
	}
	require.Len(t, seen, len(shown(&p).Buffers))
}

func peakIsListed(t *testing.T, b *browser) {
	p := modelPicture(t, "resnet18_train_adam_bs8_64px")
	tab := b.open(t, p, 1280, 800)
	arena := shown(&p)
	var live []int64
	for _, b := range arena.Buffers {
		if b.First <= arena.Peak && arena.Peak < b.End {
			live = append(live, b.Need)
		}
	}
	slices.SortFunc(live, func(a, b int64) int { return int(b - a) })
	var want []string
	for _, need := range live {
		want = append(want, bytesText(float64(need)))
	}
	require.Equal(t, want, plain(tab.texts("#peak .number")))
	require.Contains(t, tab.text("#peak .note"), fmt.Sprintf("Entry %d, CALL: %s in %d buffers", arena.Peak, bytesText(float64(bruteLoad(arena, arena.Peak))), len(live)))
}

const background = "getComputedStyle(document.body).backgroundColor"

func themes(t *testing.T, b *browser) {
	tab := b.open(t, smallPicture(), 1280, 800)
	light, lightMap := eval[string](tab, background), tab.look()
	require.Equal(t, "rgb(255, 255, 255)", light)
	tab.prefer("dark")
	dark, darkMap := eval[string](tab, background), tab.look()
	require.NotEqual(t, light, dark)
	require.False(t, alike(lightMap, darkMap))
	tab.click("#theme")
	require.Equal(t, light, eval[string](tab, background))
	tab.click("#theme")
	require.Equal(t, dark, eval[string](tab, background))
	tab.move(2, 2)
	require.True(t, alike(darkMap, tab.look()))
}

func hostile(t *testing.T, b *browser) {
	p := hostilePicture()
	tab := b.open(t, p, 1280, 800)
	require.Equal(t, p.Title, eval[string](tab, "document.title"))
	require.Equal(t, p.Title, tab.text("h1"))
	tab.click("#plans label:nth-of-type(1)")
	tab.focusMap()
	tab.press(kb.Home, kb.Enter)
	require.Equal(t, p.Plans[0].Arenas[0].Buffers[0].Name, tab.text("#details h2"))
	facts := plain(tab.texts("#details dl > div"))
	require.Contains(t, facts, "Size2.31 EB (2,305,843,009,213,693,952 B)", "to the byte")
	require.Contains(t, facts, "Elements2.31 EB (2,305,843,009,213,693,951 B)")
	require.Zero(t, eval[int](tab, "document.images.length"))
	require.Equal(t, p.Title, eval[string](tab, "document.title"))
}

func edges(t *testing.T, b *browser) {
	one := Arena{Size: 1, Bound: 1, Buffers: []Buffer{{ID: "only", End: 1, Bytes: 1, Need: 1}}}
	far := Arena{Size: 4096, Bound: 4096, Peak: 999_999, Buffers: []Buffer{{ID: "far", First: 999_999, End: 1_000_000, Bytes: 4096, Need: 4096}, {ID: "empty", First: 3, End: 9}}}
	huge := Arena{Size: 1 << 62, Bound: 1 << 62, Buffers: []Buffer{{ID: "late", First: 1<<62 - 1, End: 1 << 62, Need: 1 << 62}, {ID: "long", End: 1 << 62, Offset: 7}}}
	for name, p := range map[string]Picture{
		"nothing": {}, "a plan without arenas": {Plans: []Plan{{}}}, "an arena without buffers": {Plans: []Plan{{Arenas: []Arena{{}}}}},
		"one entry": {Entries: []string{"e"}, Plans: []Plan{{Arenas: []Arena{one}}}}, "a million entries": {Plans: []Plan{{Arenas: []Arena{far}}}},
		"2^62 entries": {Plans: []Plan{{Arenas: []Arena{huge}}}}, "a name of a million letters": {Title: strings.Repeat("T", 1e6), Plans: []Plan{{Arenas: []Arena{{Buffers: []Buffer{{ID: strings.Repeat("n", 1e6), End: 1}}}}}}},
	} {
		tab := b.open(t, p, 1000, 700)
		require.NotEmpty(t, tab.text("#summary"), name)
		if len(p.Plans) == 0 {
			continue
		}
		tab.focusMap()
		tab.press(kb.Home, kb.Enter, "+", "+", "-", "0", kb.ArrowRight, kb.ArrowUp, kb.End)
		area := tab.rect("#map")
		tab.wheel(area.Left+400, area.Top+300, -400, 0)
		tab.drag(area.Left+400, area.Top+300, area.Left+300, area.Top+200)
		tab.text("#readout")
	}
}

func narrow(t *testing.T, b *browser) {
	tab := b.open(t, modelPicture(t, "mnist_conv_train_dp2_gather_bs512"), 360, 740)
	require.LessOrEqual(t, eval[int](tab, "document.scrollingElement.scrollWidth"), 360)
	require.Greater(t, tab.rect("#map").Width, 300.0)
	require.Less(t, tab.rect("#plans").Top, tab.rect("#map").Top, "plans come first")
	require.Less(t, tab.rect("#map").Top, tab.rect("#peak").Top)
}

// accessibleNames asks the browser for what it tells a screen reader.
func accessibleNames(t *testing.T, b *browser) {
	tab := b.open(t, smallPicture(), 1280, 800)
	tab.clickAt(tab.at("relu1"))
	nodes := call(tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes
	used := map[string]int{}
	for _, node := range nodes {
		role := axText(node.Role)
		if !node.Ignored && slices.Contains([]string{"button", "radio", "searchbox", "application", "DisclosureTriangle"}, role) {
			require.NotEmpty(t, axText(node.Name), "a %s without a name", role)
			used[role]++
		}
	}
	require.Equal(t, 1, used["application"])
	require.Equal(t, 2, used["radio"])
	require.Equal(t, 1, used["searchbox"])
	require.Greater(t, used["button"], 10)
}

func axText(value *accessibility.Value) string {
	if value == nil {
		return ""
	}
	return strings.Trim(string(value.Value), `"`)
}
