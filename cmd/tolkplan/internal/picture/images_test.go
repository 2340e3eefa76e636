package picture

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
)

var (
	images      = flag.String("images", "", "write the images of the documents to this folder")
	screenshots = flag.String("screenshots", "", "write pictures of the page, in all its states, to this folder")
)

// TestImages writes the images of the documents, of real models.
func TestImages(t *testing.T) {
	if *images == "" {
		t.Skip("skipped: give -images DIR to write the images of the documents")
	}
	compared := modelPicture(t, "resnet50_infer_bs8")
	compared.Title, compared.Plans = "ResNet-50, inference of a batch of 8", compared.Plans[1:]
	forgetDevices(&compared)
	require.NoError(t, os.WriteFile(filepath.Join(*images, "compare.svg"), drawn(t, SVG, compared), 0o644))

	p := modelPicture(t, "resnet18_train_adam_bs8_64px")
	p.Title = "ResNet-18, a training step with Adam"
	forgetDevices(&p)
	tab := startBrowser(t).open(t, p, 1280, 800)
	tab.run(chromedp.EmulateViewport(1280, 800, chromedp.EmulateScale(1.5)))
	tab.text("#summary")
	tab.screenshot(filepath.Join(*images, "map.png"))
}

// forgetDevices leaves out the names of devices: the schedules were captured without one.
func forgetDevices(p *Picture) {
	for i := range p.Plans {
		for j := range p.Plans[i].Arenas {
			p.Plans[i].Arenas[j].Name = ""
		}
	}
}

func (tab *tab) screenshot(path string) {
	tab.Helper()
	png, err := chromedp.Run(tab.context, chromedp.CaptureScreenshot())
	require.NoError(tab, err)
	require.NoError(tab, os.WriteFile(path, png, 0o644))
}

// TestScreenshots writes pictures of the page to look at: for documents, and for whoever changes how it looks.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("skipped: give -screenshots DIR to write pictures of the page")
	}
	b := startBrowser(t)
	for _, shot := range []struct {
		name          string
		picture       Picture
		width, height int64
		do            func(*tab)
	}{
		{"small", smallPicture(), 1280, 800, func(*tab) {}},
		{"small_dark", smallPicture(), 1280, 800, func(tab *tab) { tab.prefer("dark") }},
		{"small_pinned", smallPicture(), 1280, 800, func(tab *tab) { tab.clickAt(tab.at("relu1")) }},
		{"model", modelPicture(t, "resnet18_train_adam_bs8_64px"), 1440, 900, func(*tab) {}},
		{"model_dark_hover", modelPicture(t, "resnet18_train_adam_bs8_64px"), 1440, 900, func(tab *tab) { tab.prefer("dark"); tab.move(500, 600) }},
		{"arenas", modelPicture(t, "mnist_conv_train_dp2_gather_bs512"), 1440, 900, func(tab *tab) { tab.click("#plans label:nth-of-type(2)"); tab.clickAt(600, 400) }},
		{"narrow", modelPicture(t, "resnet50_infer_bs8"), 390, 844, func(*tab) {}},
		{"search", modelPicture(t, "llama3_1b_decode"), 1440, 900, func(tab *tab) { tab.focusMap(); tab.slash(); tab.press("1", "2", "\r") }},
		{"training_10000", generatedPicture(t, "Training, 10,000 buffers", generate.Training(10_000, 1)), 1440, 900, func(*tab) {}},
		{"random_10000", generatedPicture(t, "Random, 10,000 buffers", generate.Random(10_000, 1)), 1440, 900, func(tab *tab) { tab.wheel(500, 600, -900, 0) }},
		{"random_100000", generatedPicture(t, "Random, 100,000 buffers", generate.Random(100_000, 1)), 1440, 900, func(*tab) {}},
		{"spread_10000_dark", generatedPicture(t, "Spread, 10,000 buffers", generate.Spread(10_000, 1)), 1440, 900, func(tab *tab) { tab.prefer("dark") }},
		{"hostile", hostilePicture(), 1280, 800, func(tab *tab) { tab.click("#plans label:nth-of-type(1)"); tab.focusMap(); tab.press("\r") }},
	} {
		t.Run(shot.name, func(t *testing.T) {
			tab := b.open(t, shot.picture, shot.width, shot.height)
			shot.do(tab)
			tab.text("#summary")
			tab.screenshot(filepath.Join(*screenshots, shot.name+".png"))
			if shot.name == "model" {
				require.NoError(t, os.WriteFile(filepath.Join(*screenshots, "model.pdf"), tab.pdf(), 0o644))
			}
		})
	}
}
