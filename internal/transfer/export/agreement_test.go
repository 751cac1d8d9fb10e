package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/query/explore"
	"almanac/internal/query/traces"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// TestSameFiguresEverywhere asks for the traces, sessions and users of a project in each way that there is: the lists of
// the public API, those of the web application, their counts, and the exported files.
func TestSameFiguresEverywhere(t *testing.T) {
	w := newWorld(t)
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w.store = s
	w.fillWithEverything(t)
	reader := &Reader{Catalog: w.catalog, Store: s, Scope: w.scope}
	finder, explorer := reader.finder(), reader.explorer()

	public := make(map[string]string)
	ids, total, err := finder.Find(t.Context(), new(traces.Query), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for trace, err := range finder.Read(t.Context(), ids, traces.Parts{}) {
		if err != nil {
			t.Fatal(err)
		}
		public[trace.ID] = figuresOf(trace)
	}
	listed := make(map[string]string)
	rows, _, err := explorer.TraceRows(t.Context(), new(explore.Selection), explore.Order{Column: "totalCost"}, nil, 100, explore.Shown{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		listed[r.Summary.ID] = figuresOf(r.Summary)
	}
	counted, exact, err := explorer.Count(t.Context(), &explore.Selection{OfTraces: true})
	if err != nil || !exact || counted != total || total != len(ids) || total != 5 {
		t.Errorf("%d traces are counted, the list says %d and has %d: %v", counted, total, len(ids), err)
	}
	exported := make(map[string]string)
	for id, row := range w.exported(t, reader, Traces) {
		exported[id] = fmt.Sprintf("%s user=%s session=%s level=%s errors=%d latency=%v tokens=%d cost=%v in=%v tags=%v",
			row["environment"].Text, row["userId"].Text, row["sessionId"].Text, row["level"].Text, row["errorCount"].Int,
			row["latency"].Float,
			row["totalTokens"].Int, row["totalCost"].Float, row["inputCost"].Float, row["tags"].Text)
	}
	if d := cmp.Diff(public, listed); d != "" {
		t.Errorf("traces of the public API and of the web application differ:\n%s", d)
	}
	if d := cmp.Diff(keysOf(public), keysOf(exported)); d != "" {
		t.Errorf("traces of the public API and of the file differ:\n%s", d)
	}
	for id := range public {
		if want := withoutTags(public[id]); withoutTags(exported[id]) != want {
			t.Errorf("trace %s: %s in the file, %s elsewhere", id, exported[id], want)
		}
	}
	w.compareEntities(t, reader)
}

// fillWithEverything stores rows of newer and older clients with the records of their traces, an update that arrives
// late, several environments, and traces that are deleted.
func (w *world) fillWithEverything(t *testing.T) {
	t.Helper()
	at := domain.Micros(1_800_000_000_000_000)
	var rows []domain.Observation
	for n := range 7 {
		trace := fmt.Sprint("t", n)
		root := domain.Observation{
			TraceID: trace, ID: "root", StartTime: at + domain.Micros(n)*1000, EndTime: at + domain.Micros(n)*3000 + 1000,
			CreatedAt: at + domain.Micros(n),
			Type:      "SPAN", Level: "DEFAULT", Environment: []string{"production", "", "staging"}[n%3], UserID: fmt.Sprint("u", n%2),
			SessionID: fmt.Sprint("s", n%3),
			TotalCost: domain.FloatOf(0.1), InputCost: 0.1, TotalTokens: domain.IntOf(3), Tags: []string{"x"},
		}
		child := root
		child.ID, child.ParentID, child.Level, child.StartTime = "child", "root", "ERROR", root.StartTime+500
		child.TotalCost, child.Environment, child.SessionID = domain.FloatOf(0.2), "production", ""
		if n%2 == 1 { // of an older client
			root.Source, child.Source = domain.SourceIngestion, domain.SourceIngestion
			rows = append(rows, domain.Observation{
				TraceID: trace, ID: domain.TraceRecordID(trace), StartTime: root.StartTime - 5000, CreatedAt: root.CreatedAt,
				Source: domain.SourceIngestionTrace,
				Level:  "ERROR", UserID: root.UserID, SessionID: root.SessionID, Environment: root.Environment,
			})
		}
		rows = append(rows, root, child)
	}
	table := w.store.Observations()
	if err := table.Append(t.Context(), w.scope, rows); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	late := rows[0]
	late.EndTime, late.TotalCost = late.EndTime+9_000_000, domain.FloatOf(0.7)
	if err := table.Append(t.Context(), w.scope, []domain.Observation{late}); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Delete(t.Context(), w.scope, store.Selection{TraceIDs: []string{"t3", "t6"}}); err != nil {
		t.Fatal(err)
	}
}

func figuresOf(t *domain.TraceSummary) string {
	environment := t.Environment
	if environment == "" {
		environment = "default"
	}
	return fmt.Sprintf("%s user=%s session=%s level=%s errors=%d latency=%v tokens=%d cost=%v in=%v tags=%v", environment, t.UserID,
		t.SessionID,
		t.Level(), t.ErrorCount, float64(t.LatencyMillis)/1000, t.TotalTokens, t.TotalCost, t.InputCost, t.Tags)
}

func withoutTags(figures string) string {
	before, _, _ := strings.Cut(figures, " tags=")
	return before
}

func keysOf(m map[string]string) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// exported returns the rows of an exported file by id, as values by column.
func (w *world) exported(t *testing.T, reader *Reader, table string) map[string]map[string]Value {
	t.Helper()
	file, err := reader.Open(t.Context(), &Request{Table: table, Format: JSONL})
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]map[string]Value)
	if err := file.rows(t.Context(), func(row []Value) error {
		values := make(map[string]Value)
		for n, c := range file.Columns {
			values[c.Name] = row[n]
			values[c.Name] = Value{Text: strings.Clone(row[n].Text), Int: row[n].Int, Float: row[n].Float}
		}
		all[values["id"].Text] = values
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// compareEntities compares sessions and users.
func (w *world) compareEntities(t *testing.T, reader *Reader) {
	t.Helper()
	sessions, total, err := reader.finder().Sessions(t.Context(), new(traces.SessionQuery), 0, 100)
	if err != nil || total != len(sessions) {
		t.Fatal(total, err)
	}
	for table, kind := range map[string]explore.EntityKind{Sessions: explore.Sessions, Users: explore.Users} {
		q := &explore.EntityQuery{Kind: kind, Order: explore.Order{Column: "totalCost"}, Limit: 100}
		listed, _, err := reader.explorer().Entities(t.Context(), new(explore.Selection), q)
		if err != nil {
			t.Fatal(err)
		}
		exported := w.exported(t, reader, table)
		if len(listed) != len(exported) || kind == explore.Sessions && len(listed) != total {
			t.Errorf("%s: %d in the list, %d in the file, %d sessions of the public API", table, len(listed), len(exported), total)
		}
		for _, o := range listed {
			row := exported[o.ID]
			observations := row["countObservations"].Int + row["totalCount"].Int // each table has one of them
			got := fmt.Sprint(row["countTraces"].Int, observations, row["errorCount"].Int, row["totalTokens"].Int, row["totalCost"].Float)
			if want := fmt.Sprint(o.Traces, o.Observations, o.Errors, o.TotalTokens, o.TotalCost); got != want {
				t.Errorf("%s %s: %s in the file, %s in the list", table, o.ID, got, want)
			}
		}
	}
}
