package cli

import (
	"fmt"
	"time"

	"almanac/internal/store/segment"
)

// say prints a message to standard error.
func (t *terminal) say(format string, args ...any) {
	_, _ = fmt.Fprintf(t.stderr, format+"\n", args...) // nobody to tell if the terminal is gone
}

// progress returns a function that reports the progress of a long operation at most once per second. It prints nothing
// in the first second.
func (t *terminal) progress(doing string) segment.Progress {
	last := time.Now()
	return func(done, total int, what string) {
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			t.say("%s: %d of %d files done, next is %s", doing, done, total, what)
		}
	}
}
