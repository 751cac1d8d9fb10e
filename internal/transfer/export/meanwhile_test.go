package export

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// interrupted is a file that calls happen before each write.
type interrupted struct {
	io.Writer
	happen func()
}

func (i interrupted) Write(b []byte) (int, error) {
	i.happen()
	return i.Writer.Write(b)
}

// TestDeletionDuringAnExport deletes traces and adds more while files are written. A file of observations has those
// that existed when it was begun, whatever happens to them. A file of traces has each trace as it was before or after.
func TestDeletionDuringAnExport(t *testing.T) {
	for _, table := range []string{Observations, Traces} {
		t.Run(table, func(t *testing.T) {
			w := newWorld(t)
			embedded, err := segment.Open(t.TempDir(), segment.Options{Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = embedded.Close() })
			w.store = embedded
			w.fill(3000, 300)
			if err := embedded.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.fill(300, 300) // some of them again, in memory
			request := Request{Table: table, Format: JSONL}
			before := w.expected(request)
			opened, err := (&Reader{Catalog: w.catalog, Store: w.store, Scope: w.scope}).Open(t.Context(), &request)
			if err != nil {
				t.Fatal(err)
			}
			var deleted []string
			for n := range 1000 {
				if n%2 == 0 {
					deleted = append(deleted, fmt.Sprintf("t%05d", n))
				}
			}
			var file bytes.Buffer
			writer, err := NewWriter(JSONL, interrupted{&file, sync.OnceFunc(func() {
				if _, err := w.store.Observations().Delete(t.Context(), w.scope, store.Selection{TraceIDs: deleted}); err != nil {
					t.Error(err)
				}
				late := domain.Observation{TraceID: deleted[1], ID: "late", StartTime: 1_800_000_000_000_000, Type: "SPAN", Name: "late"}
				if err := w.store.Observations().Append(t.Context(), w.scope, []domain.Observation{late}); err != nil {
					t.Error(err)
				}
				if err := embedded.Flush(t.Context()); err != nil {
					t.Error(err)
				}
			})}, opened.Columns, Batch)
			if err != nil {
				t.Fatal(err)
			}
			if err := opened.Write(t.Context(), writer, func(int64) {}); err != nil {
				t.Fatal(err)
			}
			after := w.expected(request)
			if before == after {
				t.Fatal("nothing was deleted")
			}
			if table == Observations {
				if file.String() != before {
					t.Errorf("the file has %d bytes, want the %d of the moment when it was begun", file.Len(), len(before))
				}
				return
			}
			got, was, is := strings.Split(file.String(), "\n"), strings.Split(before, "\n"), strings.Split(after, "\n")
			for _, line := range got {
				if !slices.Contains(was, line) && !slices.Contains(is, line) {
					t.Errorf("no trace was ever %s", line)
				}
			}
			for _, line := range was {
				if slices.Contains(is, line) && !slices.Contains(got, line) {
					t.Errorf("%s is missing", line)
				}
			}
		})
	}
}
