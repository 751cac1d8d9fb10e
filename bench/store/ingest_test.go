package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"almanac/bench/corpus"
	"almanac/internal/domain"
	"almanac/internal/store"
)

// appender is an engine that can only append.
type appender struct {
	engine
	err   func(call int64) error
	calls atomic.Int64
	rows  atomic.Int64
}

func (a *appender) append(_ context.Context, _ string, rows []domain.Observation) error {
	if err := a.err(a.calls.Add(1)); err != nil {
		return err
	}
	a.rows.Add(int64(len(rows)))
	return nil
}

func smallSource() *source {
	return &source{generator: corpus.New(corpus.Options{TextBytes: 1 << 20})}
}

func TestIngestTriesAgainWhileBusy(t *testing.T) {
	e := &appender{err: func(call int64) error {
		if call%3 == 0 {
			return fmt.Errorf("append: %w", store.ErrBusy)
		}
		return nil
	}}
	a, err := ingest(t.Context(), e, smallSource(), 1050, 4, 100)
	if err != nil {
		t.Fatal(err)
	}
	if e.rows.Load() != 1050 {
		t.Errorf("%d rows were kept, want 1050", e.rows.Load())
	}
	if len(a.took) != 11 || a.tries != int(e.calls.Load())-11 {
		t.Errorf("%d batches and %d refusals of %d calls, want 11 batches", len(a.took), a.tries, e.calls.Load())
	}
}

func TestIngestEndsWithAnError(t *testing.T) {
	broken := errors.New("broken")
	e := &appender{err: func(int64) error { return broken }}
	if _, err := ingest(t.Context(), e, smallSource(), 1000, 4, 100); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	l := startLoad(t.Context(), e, smallSource(), 1000, 100)
	time.Sleep(50 * time.Millisecond)
	if err := l.stop(); !errors.Is(err, broken) {
		t.Errorf("error of the load %v, want %v", err, broken)
	}
}

func TestLoadKeepsItsRate(t *testing.T) {
	e := &appender{err: func(int64) error { return nil }}
	l := startLoad(t.Context(), e, smallSource(), 1000, 500)
	time.Sleep(250 * time.Millisecond)
	if err := l.stop(); err != nil {
		t.Fatal(err)
	}
	// At most one batch of 100 rows for each tenth of a second, and one at the beginning; fewer on a busy machine.
	if most := 100 * (int(l.took/(100*time.Millisecond)) + 1); l.rows == 0 || l.rows > most {
		t.Errorf("%d rows in %v, want at most %d", l.rows, l.took, most)
	}
}
