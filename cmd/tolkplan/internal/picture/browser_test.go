package picture

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// browser is a Chromium without a window.
type browser struct {
	context context.Context
}

// startBrowser starts a browser that lives as long as the test. It skips the test, and says so, where there is none.
func startBrowser(t testing.TB) *browser {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("skipped: the page is tried in Chromium, and there is no chromium here; Debian has it as the package chromium")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU,
	}
	for _, name := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "hide-scrollbars"} {
		options = append(options, chromedp.Flag(name, true))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	main, closeAll := chromedp.NewContext(allocator)
	t.Cleanup(closeAll)
	require.NoError(t, chromedp.Do(main))
	return &browser{main}
}

// tab is a page that shows a picture.
type tab struct {
	testing.TB
	context context.Context
	path    string
	mutex   sync.Mutex
	faults  []string // what the page reported: errors, and requests it made
}

// open shows a picture in a window of some size. When the test ends, the page must have thrown no error and asked for no other file.
func (b *browser) open(t testing.TB, p Picture, width, height int64) *tab {
	path := filepath.Join(t.TempDir(), "map.html")
	require.NoError(t, os.WriteFile(path, drawn(t, HTML, p), 0o644))
	ctx, closeTab := chromedp.NewContext(b.context)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	tab := &tab{TB: t, context: ctx, path: path}
	t.Cleanup(func() {
		tab.mutex.Lock()
		faults := tab.faults
		tab.mutex.Unlock()
		cancel()
		closeTab()
		require.Empty(t, faults)
	})
	require.NoError(t, chromedp.Listen(ctx, tab.listen))
	tab.run(chromedp.EmulateViewport(width, height))
	tab.prefer("light")
	tab.run(chromedp.Navigate("file://" + path))
	return tab
}

func (tab *tab) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = e.ExceptionDetails.Text + string(e.ExceptionDetails.Exception.Description)
	case *runtime.EventConsoleAPICalled:
		fault = "console: " + string(e.Type)
	case *network.EventRequestWillBeSent:
		if e.Request.URL != "file://"+tab.path {
			fault = "request for " + e.Request.URL
		}
	}
	if fault != "" {
		tab.mutex.Lock()
		tab.faults = append(tab.faults, fault)
		tab.mutex.Unlock()
	}
}

func (tab *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	tab.Helper()
	require.NoError(tab, chromedp.Do(tab.context, actions...))
}

// call is the result of a command of the protocol.
func call[P, R any](tab *tab, command cdp.Command[P, R], params P) R {
	tab.Helper()
	result, err := chromedp.Call(tab.context, command, params)
	require.NoError(tab, err)
	return result
}

// prefer says which colour scheme the reader prefers, light or dark, and ends when the page has taken that up: it hears of it a frame or two later.
func (tab *tab) prefer(scheme string) {
	tab.Helper()
	call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	for frames := 0; !eval[bool](tab, "matchMedia('(prefers-color-scheme: "+scheme+")').matches"); frames++ {
		require.Less(tab, frames, 100, "the page does not hear of the scheme")
	}
	eval[bool](tab, "true")
}

// eval is the value of an expression in the page, after the next frame has been drawn.
func eval[T any](tab *tab, expression string) T {
	tab.Helper()
	script := "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(" + expression + "))))"
	value, err := chromedp.Run(tab.context, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	require.NoError(tab, err)
	return value
}

// text is the text of an element as it is shown; "" if it is hidden.
func (tab *tab) text(selector string) string {
	tab.Helper()
	text := eval[string](tab, "(e => e.checkVisibility() ? e.innerText : '')(document.querySelector(`"+selector+"`))")
	return strings.ReplaceAll(text, "\u00a0", " ")
}

// texts is the text of every element that a selector finds.
func (tab *tab) texts(selector string) []string {
	tab.Helper()
	return eval[[]string](tab, "[...document.querySelectorAll(`"+selector+"`)].map(e => e.textContent)")
}

// rect is where an element is in the window.
type rect struct{ Left, Top, Width, Height float64 }

func (r rect) middle() (x, y float64) { return r.Left + r.Width/2, r.Top + r.Height/2 }

func (tab *tab) rect(selector string) rect {
	tab.Helper()
	return eval[rect](tab, "(r => ({Left: r.left, Top: r.top, Width: r.width, Height: r.height}))(document.querySelector(`"+selector+"`).getBoundingClientRect())")
}

func (tab *tab) move(x, y float64) {
	tab.Helper()
	tab.run(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
}

func (tab *tab) clickAt(x, y float64) {
	tab.Helper()
	tab.move(x, y)
	tab.run(chromedp.MouseClickXY(x, y))
}

// click clicks the middle of an element.
func (tab *tab) click(selector string) {
	tab.Helper()
	tab.clickAt(tab.rect(selector).middle())
}

func (tab *tab) drag(x0, y0, x1, y1 float64) {
	tab.Helper()
	tab.run(chromedp.MouseEvent(chromedp.MousePressed, x0, y0, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, (x0+x1)/2, (y0+y1)/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, x1, y1, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, x1, y1, chromedp.ButtonLeft))
}

func (tab *tab) wheel(x, y, turn float64, held chromedp.Modifier) {
	tab.Helper()
	call(tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: chromedp.MouseWheel, X: x, Y: y, DeltaX: 1e-6, DeltaY: turn, Modifiers: int64(held)})
}

// press presses keys, one after the other.
func (tab *tab) press(keys ...string) {
	tab.Helper()
	for _, key := range keys {
		tab.run(chromedp.KeyEvent(key))
	}
}

// slash presses the key of a slash, as a person does: its letter follows only if the page lets it.
func (tab *tab) slash() {
	tab.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		call(tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "/", Code: "Slash", Text: "/"})
	}
}

// focusMap gives the keyboard to the map.
func (tab *tab) focusMap() {
	tab.Helper()
	tab.run(chromedp.Focus("#map"))
}
