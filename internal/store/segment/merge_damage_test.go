package segment

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// TestOneDamagedSegmentDoesNotStopMerging damages a page of a segment that is always chosen first, since most of its
// rows are dead: the others must be merged, and nothing of it may be dropped.
func TestOneDamagedSegmentDoesNotStopMerging(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, g *rowGroup[domain.Observation]) (undo func())
	}{
		{"page", func(t *testing.T, g *rowGroup[domain.Observation]) func() {
			at := g.chunks[observationSchema().index("input")].pages[0]
			return damageAt(t, g.file.path, at.offset+int64(at.size)-1)
		}},
		{"file", func(t *testing.T, g *rowGroup[domain.Observation]) func() { return cutFile(t, g.file.path) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			directory := t.TempDir()
			options := unsyncedOptions()
			options.MergeGroups = 16
			var log bytes.Buffer // written and read while nobody else merges
			options.Log = slog.New(slog.NewTextHandler(&log, nil))
			s, err := Open(directory, options)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			scope := domain.OfProject("p")
			write := func(from, to int) {
				t.Helper()
				var rows []domain.Observation
				for n := from; n < to; n++ {
					rows = append(rows, domain.Observation{
						TraceID: fmt.Sprint("t", n), ID: strconv.Itoa(n), Input: strings.Repeat(fmt.Sprint("input ", n), 100),
						StartTime: domain.Micros(1_700_000_000_000_000 + n),
					})
				}
				if err := errors.Join(s.Observations().Append(t.Context(), scope, rows), s.Flush(t.Context())); err != nil {
					t.Fatal(err)
				}
			}
			// Held from here on, so that the background does not merge while the test prepares.
			s.observations.merging.Lock()
			write(0, 10)
			g := s.observations.current.Load().groups[0].rowGroup
			if _, err := s.Observations().Delete(t.Context(), scope, store.Selection{
				TraceIDs: []string{"t0", "t1", "t2", "t3", "t4"},
			}); err != nil {
				t.Fatal(err)
			}
			undo := c.damage(t, g)
			for n := range 12 {
				write(10+n, 11+n)
			}
			s.observations.merging.Unlock()
			// The background may be the first to try, and then says so in the log.
			err = s.Merge(t.Context())
			s.observations.merging.Lock()
			if err != nil || !strings.Contains(log.String(), g.file.path) {
				wantErr(t, err, g.file.path)
			}
			s.observations.merging.Unlock()
			if stats := s.Stats().Observations; stats.Segments != 2 || stats.Unmergeable != 1 {
				t.Errorf("%d segments, %d unmergeable", stats.Segments, stats.Unmergeable)
			}
			if err := s.Merge(t.Context()); err != nil {
				t.Errorf("merging again, while the segment is set aside: %v", err)
			}
			undo()
			aside := &s.observations.setAside
			aside.mu.Lock()
			aside.until[g.file] = aside.until[g.file].Add(-mergeRetry)
			aside.mu.Unlock()
			if err := s.Merge(t.Context()); err != nil {
				t.Error(err)
			}
			if stats := s.Stats().Observations; stats.Segments != 1 || stats.Unmergeable != 0 {
				t.Errorf("%d segments, %d unmergeable in the end", stats.Segments, stats.Unmergeable)
			}
			names, err := observationNames(t, s)
			if err != nil || len(names) != 17 {
				t.Errorf("rows %v, %v", names, err)
			}
			if stray := strayFiles(t, s.observations.directory); len(stray) > 0 {
				t.Errorf("files that nothing refers to: %v", stray)
			}
		})
	}
}
