package picture

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement/problem"
)

// prints prints the page from a dark window.
func prints(t *testing.T, b *browser) {
	tab := b.open(t, modelPicture(t, "resnet18_train_adam_bs8_64px"), 1280, 800)
	tab.prefer("dark")
	before := tab.look()
	pdf := tab.pdf()
	pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1))
	require.Contains(t, []int{1, 2}, pages, "pages")
	for tries := 0; !alike(before, tab.look()); tries++ {
		require.Less(t, tries, 50, "the window does not become what it was")
		time.Sleep(100 * time.Millisecond)
	}

	// What the printer sees.
	eval[bool](tab, "dispatchEvent(new Event('beforeprint'))")
	require.Equal(t, "rgb(255, 255, 255)", eval[string](tab, background))
	require.Equal(t, []int{255, 255, 255}, eval[[]int](tab, "[...document.querySelector('#canvas').getContext('2d').getImageData(0, 0, 1, 1).data].slice(0, 3)"))
}

func (tab *tab) pdf() []byte {
	tab.Helper()
	pdf, err := chromedp.Run(tab.context, chromedp.PrintToPDF(chromedp.PDFLandscape()))
	require.NoError(tab, err)
	require.True(tab, bytes.HasPrefix(pdf, []byte("%PDF")))
	return pdf
}

// BenchmarkFrame draws a frame for each turn of the wheel: ms/frame is what the page's script spends on it.
func BenchmarkFrame(b *testing.B) {
	browser := startBrowser(b)
	for _, n := range []int{10_000, 100_000} {
		for _, workload := range []struct {
			name string
			make func(n int, seed uint64) *problem.Problem
		}{{"training", generate.Training}, {"random", generate.Random}} {
			b.Run(fmt.Sprintf("%s/n=%d", workload.name, n), func(b *testing.B) {
				tab := browser.open(b, generatedPicture(b, "", workload.make(n, 1)), 1440, 900)
				var spent []float64
				for b.Loop() {
					spent = append(spent, eval[float64](tab, turnWheel))
				}
				slices.Sort(spent)
				b.ReportMetric(spent[len(spent)/2], "ms/frame")
			})
		}
	}
}

// turnWheel turns the wheel over the map and is the milliseconds in which the page drew what that changed.
const turnWheel = `(async () => {
	const area = document.querySelector("#map"), box = area.getBoundingClientRect(), next = window.requestAnimationFrame;
	let spent = 0;
	window.requestAnimationFrame = draw => next(now => {
		const start = performance.now();
		draw(now);
		spent += performance.now() - start;
	});
	window.turns = (window.turns ?? 0) + 1;
	const at = { bubbles: true, cancelable: true, clientX: box.left + 500, clientY: box.top + 500 };
	area.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: window.turns % 40 < 20 ? -40 : 40 }));
	area.dispatchEvent(new PointerEvent("pointermove", at));
	await new Promise(done => next(() => next(done)));
	window.requestAnimationFrame = next;
	return spent;
})()`
