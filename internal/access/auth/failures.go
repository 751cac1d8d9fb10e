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
	// freeFailures is the number of refused credentials per minute that an address, or a key, may have before responses
	// are delayed.
	freeFailures = 30
	// holdBack is how long such a response is delayed.
	holdBack = time.Second
	// maxHeldBack is the maximum number of delayed responses at a time; beyond that, clients get a 429 immediately.
	maxHeldBack = 256
	// maxFailing limits the size of each table. Everything beyond that shares one entry.
	maxFailing = 10_000
	// maxReported is the maximum number of keys logged per minute, those with the most failures first.
	maxReported = 100
	// failureWindow is the period over which failures are counted, and after which they are logged.
	failureWindow = time.Minute
)

// Failures logs refused credentials and slows them down. Only responses to refused credentials are ever delayed:
// credentials are checked first, so the right one works immediately, even while others guess at the same key. A nil
// *Failures does nothing.
type Failures struct {
	log   *slog.Logger
	count func(reason string)
	wait  func(context.Context, time.Duration)

	mu        sync.Mutex
	byAddress map[string]int
	byKey     map[string]failing
	held      int
}

// failing describes the failures of a key.
type failing struct {
	count   int
	address string // of the last failure
	reason  string
}

// others is the shared entry for everything beyond maxFailing.
const others = "(others)"

// NewFailures returns a Failures that also calls count with the reason of every refusal. It starts no goroutines.
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

// Slow must be called with every error of a check before responding, and returns the error to respond with. It blocks
// for a while if the credential was wrong and its address or key has many failures.
func (f *Failures) Slow(ctx context.Context, address string, err error) error {
	var denied *Denied
	if f == nil || !errors.As(err, &denied) || denied.reason == "" {
		return err
	}
	f.count(denied.reason)
	hold, full := f.note(address, denied)
	switch {
	case full:
		return &Denied{
			Status: http.StatusTooManyRequests, Message: "Too many wrong credentials. Try again later.",
			RetryAfter: int(failureWindow / time.Second),
		}
	case hold:
		f.wait(ctx, holdBack)
		f.mu.Lock()
		f.held--
		f.mu.Unlock()
	}
	return err
}

// note counts a failure. It reports whether to delay the response, or whether too many are already delayed.
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
	if entry.count == 1 {
		key = strings.Clone(key) // it may be part of a header, which may be much longer
	}
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

// Run logs, once a minute and at the end, which keys had failures. It returns when ctx is done.
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

// report logs one line for each key that had failures since the last report, and resets the counts.
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

// shownKey returns the name under which a presented key is logged. Clients may send anything, even a secret in the
// wrong place, so only text that is known to be a public key, or looks like one, is shown, and no more of it than a key
// has.
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
