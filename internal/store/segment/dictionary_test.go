package segment

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// TestShortTextsWithoutDictionary writes a column of short strings that differ in almost every row, beside one with few
// distinct strings, and reads both in all ways.
func TestShortTextsWithoutDictionary(t *testing.T) {
	directory := t.TempDir()
	s, err := Open(directory, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, scope := t.Context(), domain.OfProject("p")
	const n = 2000
	text := func(i int) string { return fmt.Sprintf("%04d %s", i%1500, strings.Repeat("correction ", 3)) }
	rows := make([]domain.Score, n)
	for i := range rows {
		rows[i] = domain.Score{
			ID: strconv.Itoa(i), Timestamp: domain.Micros((i + 1) * 1000), Name: fmt.Sprint("n", i%3), StringValue: text(i),
			Value: domain.FloatOf(float64(i)),
		}
	}
	if err := s.Scores().Append(ctx, scope, rows); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	column := func(id string) *filter.Column[domain.Score] {
		c, ok := filter.Scores().Column(id)
		if !ok {
			t.Fatalf("no column %s", id)
		}
		return c
	}
	g := s.scores.current.Load().groups[0]
	for _, c := range []struct {
		id    string
		codes int
	}{{"stringValue", 0}, {"name", 3}, {"configId", 1}} {
		if got := g.chunks[g.schema.physical[c.id][0]].codes; got != c.codes {
			t.Errorf("column %s has a dictionary of %d texts, want %d", c.id, got, c.codes)
		}
	}
	i := n - 1
	for row, err := range s.Scores().Scan(ctx, scope, store.Query[domain.Score]{}) {
		if err != nil {
			t.Fatal(err)
		}
		if row.StringValue != text(i) {
			t.Fatalf("row %d has %q", i, row.StringValue)
		}
		i--
	}
	condition, err := filter.NewText(column("stringValue"), filter.Equal, text(123))
	if err != nil {
		t.Fatal(err)
	}
	groups, err := s.Scores().Aggregate(ctx, scope, store.AggregateQuery[domain.Score]{
		Where:   []filter.Condition[domain.Score]{condition},
		GroupBy: []*filter.Column[domain.Score]{column("stringValue")},
		Measures: []store.Measure[domain.Score]{
			{Function: store.Sum, Column: column("value")}, {Function: store.Distinct, Column: column("stringValue")},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(groups.Rows) != 1 || groups.Rows[0].Keys[0] != text(123) || groups.Rows[0].Values[0].Value != 123+1623 ||
		groups.Rows[0].Values[1].Value != 1 {
		t.Errorf("groups %+v", groups.Rows)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	verified(t, directory)
	before := answersOf(t, directory)
	for _, path := range indexFiles(t, directory) {
		want := readAll(t, path)
		if err := RebuildIndex(disk.Disk{}, directory+"/scores", numberOf(t, path)); err != nil {
			t.Fatal(err)
		}
		if string(readAll(t, path)) != string(want) {
			t.Error("the index was made again with other bytes")
		}
	}
	if answersOf(t, directory) != before {
		t.Error("with the index made again queries find something else")
	}
}

// TestNumbersWithDictionary writes float columns with few distinct values, one of them with a page without any, beside
// one whose values are all distinct, and reads them in all ways.
func TestNumbersWithDictionary(t *testing.T) {
	directory := t.TempDir()
	s, err := Open(directory, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, scope := t.Context(), domain.OfProject("p")
	const n = 4 * pageRows
	few := []float64{0, 1e-9, 0.1, math.MaxFloat64, -3, math.Inf(1)}
	rows := make([]domain.Observation, n)
	for i := range rows {
		rows[i] = domain.Observation{
			ID: fmt.Sprintf("%04d", n-i), TraceID: "t", StartTime: domain.Micros((n - i) * 1000), InputCost: few[i%len(few)],
			OutputCost: float64(i) / 7,
		}
		if i%3 > 0 && i/pageRows != 1 { // the second page has none
			rows[i].TotalCost = domain.FloatOf(few[i%5])
		}
	}
	if err := s.Observations().Append(ctx, scope, rows); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	g := s.observations.current.Load().groups[0]
	for id, codes := range map[string]int{"inputCost": len(few), "outputCost": 0, "totalCost": 5} {
		if got := g.chunks[g.schema.physical[id][0]].codes; got != codes {
			t.Errorf("column %s has a dictionary of %d numbers, want %d", id, got, codes)
		}
	}
	i := 0
	for row, err := range s.Observations().Scan(ctx, scope, store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		want := &rows[i]
		if math.Float64bits(row.InputCost) != math.Float64bits(want.InputCost) || row.OutputCost != want.OutputCost ||
			row.TotalCost != want.TotalCost {
			t.Fatalf("row %d costs %v, %v, %v; want %v, %v, %v", i, row.InputCost, row.OutputCost, row.TotalCost, want.InputCost,
				want.OutputCost, want.TotalCost)
		}
		i++
	}
	column, _ := filter.Observations().Column("totalCost")
	less, err := filter.NewNumber(column, filter.Less, 0)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := s.Observations().Aggregate(ctx, scope, store.AggregateQuery[domain.Observation]{
		Where:    []filter.Condition[domain.Observation]{less},
		Measures: []store.Measure[domain.Observation]{{Function: store.Sum, Column: column}, {Function: store.Count}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for i := range rows {
		want += min(0, rows[i].TotalCost.Value)
	}
	if len(groups.Rows) != 1 || groups.Rows[0].Values[0].Value != want || groups.Rows[0].Values[1].Value != want/-3 || want == 0 {
		t.Errorf("groups %+v, want a sum of %v", groups.Rows, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	verified(t, directory)
	for _, path := range indexFiles(t, directory) {
		before := readAll(t, path)
		if err := RebuildIndex(disk.Disk{}, directory+"/observations", numberOf(t, path)); err != nil {
			t.Fatal(err)
		}
		if string(readAll(t, path)) != string(before) {
			t.Error("the index was made again with other bytes")
		}
	}
}
