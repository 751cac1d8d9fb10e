package segment

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// The tests of verification, repair and backups share a store that has a bit of everything.

var upkeepProjects = []string{"a", "alpha", "β", "zulu"}

var upkeepNoon = domain.MicrosOf(time.Date(2026, 5, 6, 12, 0, 0, 0, time.UTC))

func upkeepWords(r *rand.Rand, count int) string {
	vocabulary := []string{"Error", "timeout", "größer", "東京", "refund", "Ticket-4711", "ok", "naïve", "GPT", "emoji😀", "\x00raw", "x\xffy"}
	var b strings.Builder
	for range count {
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "w%d ", r.IntN(20000))
			continue
		}
		b.WriteString(vocabulary[r.IntN(len(vocabulary))])
		b.WriteByte(' ')
	}
	return b.String()
}

func upkeepObservation(r *rand.Rand, n int) domain.Observation {
	start := upkeepNoon + domain.Micros(r.Int64N(3*24*3600*1e6))
	o := domain.Observation{
		TraceID: fmt.Sprintf("trace-%d", n/4), ID: fmt.Sprintf("span-%d", n), StartTime: start, EndTime: start + domain.Micros(r.IntN(9e6)),
		Type: "GENERATION", Name: fmt.Sprintf("step %d", r.IntN(9)), Level: "DEFAULT", Environment: "production",
		UserID: fmt.Sprintf("user-%d", r.IntN(50)), Model: fmt.Sprintf("model-%d", r.IntN(4)), InputTokens: int64(r.IntN(4000)),
		TotalCost: domain.FloatOf(r.Float64()), Input: upkeepWords(r, 3+r.IntN(40)), CreatedAt: start,
		Metadata: fmt.Sprintf(`{"tenant":"t%d","nested.key":"value %d","flag":true}`, r.IntN(30), r.IntN(1000)),
	}
	if n%3 == 0 {
		o.SessionID = fmt.Sprintf("session-%d", n/24)
		o.Tags = []string{"blue", fmt.Sprintf("tag-%d", r.IntN(5))}
	}
	if n%5 == 0 {
		o.ParentID, o.Output, o.EndTime, o.TotalCost = fmt.Sprintf("span-%d", n-1), upkeepWords(r, 200), 0, domain.OptFloat{}
		o.TotalTokens, o.PromptVersion = domain.IntOf(int64(n)), domain.IntOf(2)
	}
	if n%97 == 0 {
		o.Metadata, o.Input = "", strings.Repeat(upkeepWords(r, 100), 30)
	}
	return o
}

func upkeepScore(r *rand.Rand, n int) domain.Score {
	s := domain.Score{
		ID: fmt.Sprintf("score-%d", n), Timestamp: upkeepNoon + domain.Micros(r.Int64N(2*24*3600*1e6)), Name: fmt.Sprintf("metric %d", n%7),
		Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(r.Float64()), Comment: upkeepWords(r, 6),
		Metadata: fmt.Sprintf(`{"n":%d}`, n),
	}
	if n%2 == 0 {
		s.TraceID, s.SessionID = fmt.Sprintf("trace-%d", n/8), fmt.Sprintf("session-%d", n/50)
		s.ObservationID, s.ExperimentID = fmt.Sprintf("observation-%d", n/4), fmt.Sprintf("experiment-%d", n%6)
	}
	return s
}

// upkeepOptions produces many small segments.
func upkeepOptions() Options {
	return Options{FlushBytes: 400 << 10, HotBytes: 8 << 20, CacheBytes: 4 << 20, MergeGroups: 4, noteEvery: -1}
}

func openUpkeep(t *testing.T, directory string) *Store {
	t.Helper()
	s, err := Open(directory, upkeepOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the test may have closed it already
	return s
}

// fillUpkeep writes, replaces and deletes rows, so that there are segments of several days, dead rows and a log.
func fillUpkeep(t *testing.T, s *Store, rows int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for n := 0; n < rows; n += 50 {
		project := domain.OfProject(upkeepProjects[r.IntN(len(upkeepProjects))])
		var observations []domain.Observation
		var scores []domain.Score
		for k := range 50 {
			at := n + k
			if r.IntN(8) == 0 {
				at = r.IntN(n + 1) // replaces one, if it is in this project
			}
			observations = append(observations, upkeepObservation(r, at))
			scores = append(scores, upkeepScore(r, at))
		}
		if err := s.Observations().Append(t.Context(), project, observations); err != nil {
			t.Fatal(err)
		}
		if err := s.Scores().Append(t.Context(), project, scores); err != nil {
			t.Fatal(err)
		}
		switch r.IntN(6) {
		case 0:
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		case 1:
			traces := []string{fmt.Sprintf("trace-%d", r.IntN(n+1)/4), fmt.Sprintf("trace-%d", n/4)}
			if _, err := s.Observations().Delete(t.Context(), project, store.Selection{TraceIDs: traces}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// upkeepStore returns the directory of a closed store with a bit of everything, partly merged.
func upkeepStore(t *testing.T) string {
	t.Helper()
	directory := filepath.Join(t.TempDir(), "store")
	s := openUpkeep(t, directory)
	fillUpkeep(t, s, 1200)
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	fillUpkeep(t, s, 300)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return directory
}

// answersOf runs many queries on a store and returns all results.
func answersOf(t *testing.T, directory string) string {
	t.Helper()
	s, err := Open(directory, upkeepOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var b strings.Builder
	for _, name := range upkeepProjects {
		project := domain.OfProject(name)
		fmt.Fprintf(&b, "project %s\n", name)
		askTable(t, &b, project, s.Observations(), filter.Observations(), "input")
		askTable(t, &b, project, s.Scores(), filter.Scores(), "comment")
	}
	return b.String()
}

func askTable[R any](
	t *testing.T, b *strings.Builder, project domain.ProjectScope, table store.Table[R], columns *filter.Catalogue[R], long string,
) {
	t.Helper()
	put := func(rows func(func(*R, error) bool)) {
		for row, err := range rows {
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(b, "%s\n", text)
		}
		b.WriteString("--\n")
	}
	put(table.Scan(t.Context(), project, store.Query[R]{Want: store.WantAll}))
	var traces, sessions, ids []string
	for n := range 40 {
		traces, sessions = append(traces, fmt.Sprintf("trace-%d", n*7)), append(sessions, fmt.Sprintf("session-%d", n))
		ids = append(ids, fmt.Sprintf("span-%d", n*11), fmt.Sprintf("score-%d", n*11))
	}
	put(table.Lookup(t.Context(), project, store.Lookup{TraceIDs: traces, Want: store.WantAll}))
	put(table.Lookup(t.Context(), project, store.Lookup{SessionIDs: sessions, Want: store.WantAll}))
	put(table.Lookup(t.Context(), project, store.Lookup{IDs: ids, Want: store.WantAll}))
	searched, _ := columns.Column(long)
	metadata, _ := columns.Column("metadata")
	for _, word := range []string{"TIMEOUT", "w77", "東京", "größer", "nothing"} {
		if c, err := filter.NewText(searched, filter.Matches, word); err == nil { // scores are not searched by words
			put(table.Scan(t.Context(), project, store.Query[R]{Where: []filter.Condition[R]{c}, Want: store.WantAll}))
		}
	}
	if c, err := filter.NewMetadataText(metadata, filter.Equal, "tenant", "t7"); err == nil {
		put(table.Scan(t.Context(), project, store.Query[R]{Where: []filter.Condition[R]{c}, Want: store.WantAll}))
	}
}

// verified fails the test if there are faults.
func verified(t *testing.T, directory string) {
	t.Helper()
	found, err := Verify(directory, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Faults {
		t.Errorf("fault: %s", f)
	}
}

// indexFiles returns the indexes of a store.
func indexFiles(t *testing.T, directory string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(directory, "*", "*.idx"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no indexes in %s: %v", directory, err)
	}
	return files
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// overwrite replaces a file with a new one, so that hard links and mappings of the old one are unaffected.
func overwrite(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
