package export

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/blob"
	"almanac/internal/domain"
	"almanac/internal/jobs"
)

// overtaken is a blob store in which the second part of a first run is written when a second run writes its first part,
// which takes longer.
type overtaken struct {
	blob.Store
	calls  atomic.Int64
	second chan struct{}
}

func (o *overtaken) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	switch o.calls.Add(1) {
	case 2:
		select {
		case <-o.second:
		case <-ctx.Done():
			return ctx.Err()
		}
	case 3:
		close(o.second)
		time.Sleep(3 * time.Second)
	}
	return o.Store.Put(ctx, key, r, size)
}

// TestExportThatIsCancelledAndRetried: a command cancels an export and retries it, before the server that makes it renews
// its lease. What the first run writes is not in the file.
func TestExportThatIsCancelledAndRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.fill(900, 30_000)
		f := w.files()
		f.Blobs = &overtaken{Store: w.blobs, second: make(chan struct{})}
		defer w.run(f)()
		time.Sleep(6 * time.Second) // so that the server looks for jobs just before it renews the lease
		q := Request{Table: Observations, Format: JSONL}
		e := w.ask(q)
		time.Sleep(11 * time.Second)
		if _, err := w.db.SQL.Write.ExecContext(t.Context(), `UPDATE exports SET state = 'queued', leased_by = NULL, leased_until = NULL,
			unfinished = 0`); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * jobs.Poll)
		if e, err := w.catalog.Export(t.Context(), w.scope, e.ID); err != nil || e.State != domain.ExportDone {
			t.Fatalf("it is %+v, %v", e, err)
		}
		if got, want := w.content(e.ID), w.expected(q); got != want {
			t.Errorf("the file has %d bytes, want %d", len(got), len(want))
		}
	})
}
