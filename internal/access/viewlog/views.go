// Package viewlog records in the audit log what people open: traces, observations and sessions.
package viewlog

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

const (
	// once is how long further views of the same object by the same person are not recorded.
	once = time.Hour
	// writeInterval is how often views are written.
	writeInterval = 5 * time.Second
	// maxWaiting is the maximum number of views waiting to be written, and maxKnown the maximum number of remembered
	// ones.
	maxWaiting = 5000
	maxKnown   = 20_000
)

// Options configures a Log.
type Options struct {
	// Record stores views, except those that were already recorded since the given time.
	Record func(ctx context.Context, views []catalog.View, since time.Time) error
	Log    *slog.Logger
	// Dropped is called with the number of views that could not be recorded.
	Dropped func(count int)
}

// Log writes views in the background, so that nobody has to wait for it. It is safe for concurrent use.
type Log struct {
	Options
	now func() time.Time

	mu      sync.Mutex
	waiting []catalog.View
	known   map[seen]time.Time
	dropped int // since the last write
}

// seen is a person and what they opened.
type seen struct {
	scope            domain.ProjectScope
	userID, kind, id string
}

// New returns a log. It starts no goroutines.
func New(o Options) *Log { return &Log{Options: o, now: time.Now, known: make(map[seen]time.Time)} }

// Add queues a view, unless the same person opened the same object a short while ago.
func (l *Log) Add(v catalog.View) {
	key := seen{v.Scope, v.UserID, v.Kind, v.ID}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if at, ok := l.known[key]; ok && now.Sub(at) < once {
		return
	}
	if len(l.waiting) >= maxWaiting {
		l.dropped++
		return
	}
	if len(l.known) >= maxKnown {
		clear(l.known) // the catalog also detects duplicates, only more slowly
	}
	v.ID = strings.Clone(v.ID) // it is part of the URL of a request, which may be much longer
	key.id = v.ID
	l.known[key] = now
	l.waiting = append(l.waiting, v)
}

// Run writes views periodically, and once more at the end. It returns when ctx is done.
func (l *Log) Run(ctx context.Context) {
	ticker := time.NewTicker(writeInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			l.write(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeInterval)
			defer cancel()
			l.write(last)
			l.drop(l.take())
			return
		}
	}
}

// write writes the waiting views. If that fails, they wait again.
func (l *Log) write(ctx context.Context) {
	views, dropped := l.take()
	l.drop(nil, dropped)
	if len(views) == 0 {
		return
	}
	if err := l.Record(ctx, views, l.now().Add(-once)); err != nil {
		l.Log.Warn("cannot record views in the audit log: retrying", "views", len(views), "error", err)
		l.mu.Lock()
		l.waiting = append(views, l.waiting...)
		l.mu.Unlock()
	}
}

func (l *Log) take() (views []catalog.View, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	views, dropped = l.waiting, l.dropped
	l.waiting, l.dropped = nil, 0
	return views, dropped
}

// drop reports views that were not recorded.
func (l *Log) drop(views []catalog.View, dropped int) {
	if dropped += len(views); dropped > 0 {
		l.Dropped(dropped)
		l.Log.Error("views are missing from the audit log", "views", dropped)
	}
}
