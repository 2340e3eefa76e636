package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"libtolk_memory/placement"
)

// progress is what tells of a long search on a terminal, nil elsewhere, and what takes it away.
func (a *app) progress(name string) (show func(arena string, p placement.Progress), done func()) {
	if !a.watched {
		return nil, func() {}
	}
	const patience = 500 * time.Millisecond // a search that ends sooner needs no progress
	started := a.now()
	var bar *progressbar.ProgressBar
	show = func(arena string, p placement.Progress) {
		if bar == nil {
			if a.now().Sub(started) < patience {
				return
			}
			bar = progressbar.NewOptions64(-1, progressbar.OptionSetWriter(a.err), progressbar.OptionSetElapsedTime(true),
				progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSpinnerType(14))
		}
		bar.Describe(fmt.Sprintf("%s %s: best so far %s, at least %s, %.1f million steps", visible(name), visible(arena), size(p.Size), size(p.Bound), float64(p.Spent)/1e6))
		_ = bar.Add(1) // what goes wrong on the terminal is no reason to stop
	}
	return show, func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
}
