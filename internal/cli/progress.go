package cli

import (
	"fmt"
	"time"

	"almanac/internal/store/segment"
)

// say tells on standard error what is going on.
func (t *terminal) say(format string, args ...any) {
	_, _ = fmt.Fprintf(t.stderr, format+"\n", args...) // nobody is left to tell if the terminal is gone
}

// progress says how far a long piece of work is, once a second; nothing if it is done before.
func (t *terminal) progress(doing string) segment.Progress {
	last := time.Now()
	return func(done, total int, what string) {
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			t.say("%s: %d of %d files done, next is %s", doing, done, total, what)
		}
	}
}
