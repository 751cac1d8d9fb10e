package export

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/blob"
	"almanac/internal/domain"
	"almanac/internal/store/segment"
)

// weighed is a blob store that records the largest heap at the time a part was written.
type weighed struct {
	blob.Store
	most atomic.Uint64
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (w *weighed) Put(ctx context.Context, key string, content io.Reader, size int64) error {
	w.most.Store(max(w.most.Load(), heap()))
	return w.Store.Put(ctx, key, content, size)
}

// TestMemoryOfExports exports far more data than may be in memory, in every format, with texts that hardly compress.
func TestMemoryOfExports(t *testing.T) {
	const rows, size, most = 20_000, 4000, 24 << 20
	w := newWorld(t)
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	random, raw := rand.NewChaCha8([32]byte{}), make([]byte, size/2)
	for from := 0; from < rows; from += 1000 {
		batch := make([]domain.Observation, 1000)
		for n := range batch {
			_, _ = random.Read(raw)
			batch[n] = domain.Observation{
				TraceID: fmt.Sprintf("t%05d", (from+n)/5), ID: fmt.Sprintf("o%05d", from+n),
				StartTime: domain.Micros(1_800_000_000_000_000 + (from+n)*1000),
				Type:      "SPAN", Name: "step", Input: hex.EncodeToString(raw),
			}
		}
		if err := s.Observations().Append(t.Context(), w.scope, batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	blobs := &weighed{Store: w.blobs}
	w.store, w.blobs = s, blobs
	defer w.run(w.files())()
	before := heap()
	for _, format := range Formats() {
		blobs.most.Store(0)
		e := w.await(w.ask(Request{Table: Observations, Format: format}).ID, domain.ExportDone)
		held := int64(blobs.most.Load()) - int64(before)
		t.Logf("%s: %d MB in memory for %d MB", format, held>>20, e.Bytes>>20)
		if e.Rows != rows || e.Bytes < rows*size/2 {
			t.Errorf("%s: %d rows in %d bytes", format, e.Rows, e.Bytes)
		}
		if held > most {
			t.Errorf("%s: %d MB are held", format, held>>20)
		}
	}
}

// TestMemoryOfEntities exports a user with so many traces that their ids would not fit in memory.
func TestMemoryOfEntities(t *testing.T) {
	const traces, most = 300_000, 12 << 20
	w := newWorld(t)
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for from := 0; from < traces; from += 10_000 {
		batch := make([]domain.Observation, 10_000)
		for n := range batch {
			batch[n] = domain.Observation{
				TraceID: fmt.Sprintf("%032x", from+n), ID: fmt.Sprintf("%016x", from+n),
				StartTime: domain.Micros(1_800_000_000_000_000 + (from+n)*1000), UserID: "u", SessionID: "s",
			}
		}
		if err := s.Observations().Append(t.Context(), w.scope, batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader := &Reader{Catalog: w.catalog, Store: s, Scope: w.scope}
	before := heap()
	for _, name := range []string{Users, Sessions} {
		table, err := reader.Open(t.Context(), &Request{Table: name, Format: JSONL})
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		if err := table.rows(t.Context(), func([]Value) error {
			rows++
			held := int64(heap()) - int64(before)
			for range 50 { // the store merges segments beside this, which needs memory for a while
				if held <= most {
					break
				}
				time.Sleep(100 * time.Millisecond)
				held = int64(heap()) - int64(before)
			}
			t.Logf("%s: %d KB in memory", name, held>>10)
			if held > most {
				t.Errorf("%s: %d KB are held", name, held>>10)
			}
			return nil
		}); err != nil || rows != 1 {
			t.Errorf("%s: %d rows, %v", name, rows, err)
		}
	}
}
