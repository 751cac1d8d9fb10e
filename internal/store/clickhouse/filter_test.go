package clickhouse

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/filter/filtertest"
)

// TestCells compares the SQL of each condition, on every column and with every operator, with package filter, which the
// oracle of filtertest checks. Many conditions are evaluated together, each as a column of one query.
func TestCells(t *testing.T) {
	server := sharedServer(t)
	s := openTest(t, server, "test_cells", Options{})
	defer s.Close()
	rows := filtertest.Rows()
	if err := s.observations.Append(t.Context(), domain.OfProject("p"), rows); err != nil {
		t.Fatal(err)
	}
	byName := map[string]*domain.Observation{}
	for i := range rows {
		byName[rows[i].TraceID+"/"+rows[i].ID] = &rows[i]
	}
	// Queries with many parameters are long, so few conditions go into one.
	const together = 40
	cells := filtertest.Cells()
	for len(cells) > 0 {
		n := min(together, len(cells))
		askCells(t, s, byName, cells[:n])
		cells = cells[n:]
	}
}

func askCells(t *testing.T, s *Store, rows map[string]*domain.Observation, cells []filtertest.Cell) {
	t.Helper()
	q := new(statement)
	var conditions []filter.Condition[domain.Observation]
	selected := []string{"toUInt8(1)", "trace_id", "id"}
	for _, cell := range cells {
		parsed, err := filter.Parse(filter.Observations(), cell.Filter, filter.DefaultLimits())
		if err != nil {
			t.Fatalf("%s: %v", cell.Filter, err)
		}
		sql, ok := s.observations.compile(&parsed[0], &q.args)
		if !ok {
			t.Errorf("%s is left to Go", cell.Filter)
			continue
		}
		conditions = append(conditions, parsed[0])
		selected = append(selected, fmt.Sprintf("toBool(%s)", sql))
	}
	q.sql = "SELECT " + strings.Join(selected, ", ") + " FROM observations FINAL FORMAT RowBinary"
	answer, err := s.client.open(t.Context(), q)
	if err != nil {
		t.Fatalf("%v in\n%s", err, q.sql)
	}
	defer answer.Close()
	d := newDecoder(t.Context(), answer)
	n := 0
	for ; d.next(); n++ {
		row := rows[d.text()+"/"+d.text()]
		for i := range conditions {
			if got, want := d.bool(), conditions[i].Match(row); got != want {
				t.Errorf("%s\nrow %s: %v, want %v: %s", cells[i].Filter, filtertest.Name(row), got, want, selected[i+3])
			}
		}
	}
	if d.err != nil || n != len(rows) {
		t.Fatalf("%d of %d rows were read: %v", n, len(rows), d.err)
	}
}
