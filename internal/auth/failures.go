package auth

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/domain"
)

const (
	// freeFailures is how many refused credentials an address, or a key, may have in a minute before their answers are held back.
	freeFailures = 30
	// holdBack is for how long such an answer is held back.
	holdBack = time.Second
	// maxHeldBack is how many are at once; further ones are answered 429 straight away.
	maxHeldBack = 256
	// maxFailing bounds each table. What does not fit shares one entry.
	maxFailing = 10_000
	// maxReported is how many keys the log tells of in a minute, those with the most failures first.
	maxReported = 100
	// failureWindow is how long failures are counted together, and how often the log tells of them.
	failureWindow = time.Minute
)

// Failures makes refused credentials visible and slow. Only answers to refused credentials are ever held back: credentials are
// checked first, so the right one works at once, whoever else guesses at the same key. The nil value does nothing.
type Failures struct {
	log   *slog.Logger
	count func(reason string)
	wait  func(context.Context, time.Duration)

	mu        sync.Mutex
	byAddress map[string]int
	byKey     map[string]failing
	held      int
}

// failing is what is known of the failures of a key.
type failing struct {
	count   int
	address string // of the last one
	reason  string
}

// others is the entry of all that have none of their own.
const others = "(others)"

// NewFailures returns a table that counts every refusal by its reason, too. It starts nothing.
func NewFailures(log *slog.Logger, count func(reason string)) *Failures {
	return &Failures{
		log: log, count: count, byAddress: make(map[string]int), byKey: make(map[string]failing),
		wait: func(ctx context.Context, d time.Duration) {
			timer := time.NewTimer(d)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
		},
	}
}

// Slow is called with every error of a check before it is answered, and returns the one to answer with. It takes its time if
// the credential was wrong and its address or key has many failures.
func (f *Failures) Slow(ctx context.Context, address string, err error) error {
	var denied *Denied
	if f == nil || !errors.As(err, &denied) || denied.reason == "" {
		return err
	}
	f.count(denied.reason)
	hold, full := f.note(address, denied)
	switch {
	case full:
		return &Denied{Status: http.StatusTooManyRequests, Message: "Too many wrong credentials. Try again later.", RetryAfter: int(failureWindow / time.Second)}
	case hold:
		f.wait(ctx, holdBack)
		f.mu.Lock()
		f.held--
		f.mu.Unlock()
	}
	return err
}

// note counts a failure and reports whether its answer is to be held back, or whether too many are already.
func (f *Failures) note(address string, denied *Denied) (hold, full bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := denied.shown
	if _, known := f.byKey[key]; !known && len(f.byKey) >= maxFailing {
		key = others
	}
	if _, known := f.byAddress[address]; !known && len(f.byAddress) >= maxFailing {
		address = others
	}
	entry := failing{f.byKey[key].count + 1, address, denied.reason}
	f.byKey[key] = entry
	f.byAddress[address]++
	if entry.count <= freeFailures && f.byAddress[address] <= freeFailures {
		return false, false
	}
	if f.held >= maxHeldBack {
		return false, true
	}
	f.held++
	return true, false
}

// Run tells in the log, once a minute and at the end, which keys had failures. It returns when ctx is done.
func (f *Failures) Run(ctx context.Context) {
	ticker := time.NewTicker(failureWindow)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			f.report()
		case <-ctx.Done():
			f.report()
			return
		}
	}
}

// report writes a line for each key that had failures since the last one, and begins anew.
func (f *Failures) report() {
	f.mu.Lock()
	byKey := f.byKey
	f.byKey, f.byAddress = make(map[string]failing), make(map[string]int)
	f.mu.Unlock()
	keys := make([]string, 0, len(byKey))
	for key := range byKey {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(byKey[b].count, byKey[a].count), cmp.Compare(a, b))
	})
	for _, key := range keys[:min(len(keys), maxReported)] {
		entry := byKey[key]
		f.log.Info("credentials were rejected", "key", key, "count", entry.count, "reason", entry.reason, "last_address", entry.address)
	}
	if len(keys) > maxReported {
		rest := 0
		for _, key := range keys[maxReported:] {
			rest += byKey[key].count
		}
		f.log.Info("credentials of further keys were rejected", "keys", len(keys)-maxReported, "count", rest)
	}
}

// shownKey returns how the log calls a key that somebody presented. It may be anything, a secret in the wrong place included: only
// what is known to be a public key, or looks like one, is shown, and no more of it than a key has.
func shownKey(text string, known bool) string {
	const longest = 64
	if !known && !strings.HasPrefix(text, domain.PublicKeyPrefix) {
		return "(no public key)"
	}
	if len(text) > longest {
		text = text[:longest] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
