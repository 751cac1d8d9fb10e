package segment

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// TestDeletingOldRowsReadsNothing damages the times of a row group: deleting all of its rows by time must succeed
// nevertheless, since the earliest and the latest time decide.
func TestDeletingOldRowsReadsNothing(t *testing.T) {
	s, _ := openDays(t, Options{})
	days := make([]int64, 2000)
	for n := range days {
		days[n] = 20_000
	}
	scope := domain.OfProject("p")
	if err := s.Observations().Append(t.Context(), scope, onDays("x", days)); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	g := s.observations.current.Load().groups[0]
	for n := range g.chunks[g.schema.time].pages {
		at := g.chunks[g.schema.time].pages[n]
		file, err := os.OpenFile(g.file.path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt(make([]byte, at.size), at.offset); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	removed, err := s.Observations().Delete(t.Context(), scope, store.Selection{Before: 20_001 * dayMicros})
	if removed != len(days) || err != nil {
		t.Errorf("%d of %d rows deleted, %v", removed, len(days), err)
	}
	if left := countByDay(t, s, "p"); len(left) > 0 {
		t.Errorf("rows are left: %v", left)
	}
	if removed, err := s.Observations().Delete(t.Context(), scope, store.Selection{Before: 20_001 * dayMicros}); removed != 0 ||
		err != nil {
		t.Errorf("again: %d rows deleted, %v", removed, err)
	}
}

// TestDeletionIsPlannedBeforeItsTurn checks that the times of rows are read while others write: nothing that a write
// needs is locked.
func TestDeletionIsPlannedBeforeItsTurn(t *testing.T) {
	s, _ := openDays(t, Options{})
	days := make([]int64, 2000)
	for n := range days {
		days[n] = 20_000
	}
	rows := onDays("x", days) // a microsecond apart
	if err := s.Observations().Append(t.Context(), domain.OfProject("p"), rows); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	table := s.observations
	table.mu.Lock() // as the committer does
	plan := table.planDelete("p", &store.Selection{Before: rows[500].StartTime})
	table.mu.Unlock()
	for _, g := range table.current.Load().groups {
		if plan[g.rowGroup].len() != 500 {
			t.Errorf("%d rows are planned to be deleted, want 500", plan[g.rowGroup].len())
		}
	}
	if removed, err := s.Observations().Delete(t.Context(), domain.OfProject("p"),
		store.Selection{Before: rows[500].StartTime}); removed != 500 || err != nil {
		t.Errorf("%d rows deleted, %v", removed, err)
	}
}

// TestCommitGroupIsBounded checks that writes that wait together are committed in several frames if they are large.
func TestCommitGroupIsBounded(t *testing.T) {
	table := &table[domain.Observation]{requests: make(chan *request[domain.Observation], 100)}
	for range 20 {
		table.requests <- &request[domain.Observation]{record: make([]byte, maxGroupBytes/4)}
	}
	close(table.requests)
	var groups []int
	for r := range table.requests {
		groups = append(groups, len(table.waiting(r)))
	}
	if fmt.Sprint(groups) != "[4 4 4 4 4]" {
		t.Errorf("groups of %v writes", groups)
	}
}

// TestFrameTooLarge commits more than fits into a frame. Nothing is written, so the table stays usable.
func TestFrameTooLarge(t *testing.T) {
	s, _ := openDays(t, Options{})
	table := s.observations
	large := make([]*request[domain.Observation], 3)
	for n := range large {
		large[n] = &request[domain.Observation]{record: make([]byte, maxFrame/2), remove: &store.Selection{IDs: []string{"x"}}}
	}
	wantErr(t, table.commit(large), "cannot write a frame")
	if err := s.Observations().Append(t.Context(), domain.OfProject("p"), onDays("x", []int64{20_000})); err != nil {
		t.Errorf("writing afterwards: %v", err)
	}
}

// BenchmarkAppendWhileDeleting reports the longest time that a small write took while the first run of a project's
// retention deletes most of its rows.
func BenchmarkAppendWhileDeleting(b *testing.B) {
	const rows, perDay, batch = 200_000, 20_000, 1000
	for b.Loop() {
		b.StopTimer()
		s, err := Open(b.TempDir(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		old := domain.OfProject("old")
		for n := 0; n < rows; n += batch {
			days := make([]int64, batch)
			for i := range days {
				days[i] = int64(20_000 + (n+i)/perDay)
			}
			if err := s.Observations().Append(b.Context(), old, onDays(strconv.Itoa(n)+"-", days)); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Flush(b.Context()); err != nil {
			b.Fatal(err)
		}
		stop, longest := make(chan struct{}), make(chan time.Duration)
		go func() {
			most := time.Duration(0)
			for n := 0; ; n++ {
				began := time.Now()
				if err := s.Observations().Append(b.Context(), domain.OfProject("new"),
					onDays("w"+strconv.Itoa(n)+"-", []int64{20_100})); err != nil {
					b.Error(err)
				}
				most = max(most, time.Since(began))
				select {
				case <-stop:
					longest <- most
					return
				default:
				}
			}
		}()
		b.StartTimer()
		// Neither at the edge of a day nor of a row group.
		if _, err := s.Observations().Delete(b.Context(), old, store.Selection{Before: 20_009*dayMicros + 10}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		close(stop)
		b.ReportMetric(float64((<-longest).Microseconds())/1000, "ms-longest-append")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
