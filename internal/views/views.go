// Package views records in the audit log what people open: traces, observations and sessions.
package views

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

const (
	// once is how long a view stands for further ones of the same thing by the same person.
	once = time.Hour
	// writeInterval is how long views wait to be written.
	writeInterval = 5 * time.Second
	// maxWaiting is how many views wait at most, and maxKnown how many are remembered as written.
	maxWaiting = 5000
	maxKnown   = 20_000
)

// Options are what the log of views needs.
type Options struct {
	// Record writes views down, but for those that somebody had since a time.
	Record func(ctx context.Context, views []catalog.View, since time.Time) error
	Log    *slog.Logger
	// Dropped is told how many views could not be recorded.
	Dropped func(count int)
}

// Log takes views and writes them in the background, so that nobody waits for it. It is safe for concurrent use.
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

// New returns a log. It starts nothing.
func New(o Options) *Log { return &Log{Options: o, now: time.Now, known: make(map[seen]time.Time)} }

// Add notes that somebody opened something. A thing that they opened a short while ago is not noted again.
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
		clear(l.known) // the catalog knows, too; it only takes longer
	}
	l.known[key] = now
	l.waiting = append(l.waiting, v)
}

// Run writes views from time to time, and once more at the end. It returns when ctx is done.
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

// write writes what waits. What cannot be written waits again.
func (l *Log) write(ctx context.Context) {
	views, dropped := l.take()
	l.drop(nil, dropped)
	if len(views) == 0 {
		return
	}
	if err := l.Record(ctx, views, l.now().Add(-once)); err != nil {
		l.Log.Warn("cannot record views in the audit log: they are tried again", "views", len(views), "error", err)
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

// drop tells of views that are not recorded.
func (l *Log) drop(views []catalog.View, dropped int) {
	if dropped += len(views); dropped > 0 {
		l.Dropped(dropped)
		l.Log.Error("views are missing from the audit log", "views", dropped)
	}
}
