package filter_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/filter/filtertest"
)

type condition = filter.Condition[domain.Observation]

// TestCells checks the meaning of every operator of every type on every column against the oracle, and that the cells
// are complete: each operator matches some rows and not others, and is tried on rows of every state that its column
// has.
func TestCells(t *testing.T) {
	rows := filtertest.Rows()
	if len(rows) < 400 {
		t.Fatalf("%d rows are too few to be sure of anything", len(rows))
	}
	type operator struct{ column, typ, operator string }
	type tally struct{ found, left map[filtertest.State]int }
	tallies := map[operator]tally{}
	states := map[string][]filtertest.State{}
	cells := filtertest.Cells()
	for _, cell := range cells {
		conditions := parse(t, cell.Filter)
		meets := filtertest.Oracle(cell.Filter)
		at := operator{cell.Column, cell.Type, cell.Operator}
		if tallies[at].found == nil {
			tallies[at] = tally{map[filtertest.State]int{}, map[filtertest.State]int{}}
		}
		if states[cell.Column] == nil {
			for n := range rows {
				states[cell.Column] = append(states[cell.Column], filtertest.StateOf(cell.Column, &rows[n]))
			}
		}
		for n := range rows {
			want, state := meets(&rows[n]), states[cell.Column][n]
			if got := matchAll(conditions, &rows[n]); got != want {
				t.Fatalf("%s\nrow %s, which has %#v: %v, want %v", cell.Filter, filtertest.Name(&rows[n]),
					filtertest.Value(conditions[0].Column().ID(), &rows[n]), got, want)
			}
			if want {
				tallies[at].found[state]++
			} else {
				tallies[at].left[state]++
			}
		}
	}
	t.Logf("%d cells on %d rows", len(cells), len(rows))

	for at, counted := range tallies {
		column, _ := filter.Observations().Column(at.column)
		if at.typ == "null" {
			continue // its matches are the state itself
		}
		if counted.found[filtertest.Set] == 0 || counted.left[filtertest.Set] == 0 {
			t.Errorf("%v: of the rows that have a value, %d are found and %d are not", at,
				counted.found[filtertest.Set], counted.left[filtertest.Set])
		}
		for _, state := range statesOf(column) {
			if counted.found[state]+counted.left[state] == 0 {
				t.Errorf("%v is not tried on a row that is %s", at, state)
			}
		}
	}
	for _, column := range filter.Observations().Columns() {
		for typ, operators := range operatorsOf(column.Kind()) {
			for _, op := range operators {
				for _, name := range append([]string{column.ID()}, column.Aliases()...) {
					if _, ok := tallies[operator{name, typ, op}]; !ok {
						t.Errorf("there is no cell for %s, %s, %s", name, typ, op)
					}
				}
			}
		}
	}
}

// statesOf returns the states that rows can have in a column, other than set.
func statesOf(column *filter.Column[domain.Observation]) []filtertest.State {
	switch {
	case slices.Contains([]string{"id", "traceId", "startTime"}, column.ID()), column.Kind() == filter.Bool:
		return nil
	case column.ID() == "traceName":
		return []filtertest.State{filtertest.Unset, filtertest.Null}
	case column.Nullable():
		return []filtertest.State{filtertest.Null}
	case column.Kind() == filter.Number:
		return nil
	}
	return []filtertest.State{filtertest.Unset}
}

// operatorsOf returns the table of the contract: which types fit a kind of column, and their operators.
func operatorsOf(kind filter.Kind) map[string][]string {
	compare := []string{"=", "contains", "does not contain", "starts with", "ends with"}
	order := []string{"=", ">", "<", ">=", "<="}
	types := map[string][]string{"null": {"is null", "is not null"}}
	switch kind {
	case filter.Text:
		types["string"], types["stringOptions"] = compare, []string{"any of", "none of"}
	case filter.LongText:
		return map[string][]string{"string": {"=", "matches"}}
	case filter.List:
		types["arrayOptions"] = []string{"any of", "none of", "all of"}
	case filter.Number:
		types["number"] = order
	case filter.Time:
		types["datetime"] = order[1:]
	case filter.Bool:
		types["boolean"] = []string{"=", "<>"}
	case filter.Metadata:
		types["stringObject"] = append(slices.Clone(compare), "matches")
		types["numberObject"], types["booleanObject"] = order, []string{"=", "<>"}
	}
	return types
}

func TestRandomFilters(t *testing.T) {
	rows, filters := filtertest.Rows(), filtertest.Filters()
	rapid.Check(t, func(t *rapid.T) {
		text := filters.Draw(t, "filter")
		conditions := parse(t, text)
		meets := filtertest.Oracle(text)
		for n := range rows {
			if got, want := matchAll(conditions, &rows[n]), meets(&rows[n]); got != want {
				t.Fatalf("%s\nrow %s: %v, want %v", text, filtertest.Name(&rows[n]), got, want)
			}
		}
	})
}

// TestRows checks what users of the rows rely on.
func TestRows(t *testing.T) {
	rows := filtertest.Rows()
	if diff := cmp.Diff(rows, filtertest.Rows()); diff != "" {
		t.Errorf("the rows differ from one call to the next:\n%s", diff)
	}
	names := map[string]bool{}
	for n := range rows {
		row := &rows[n]
		if names[filtertest.Name(row)] || row.ID == "" || row.TraceID == "" || row.StartTime == 0 {
			t.Errorf("row %d, %s, has no key of its own or no time", n, filtertest.Name(row))
		}
		names[filtertest.Name(row)] = true
	}
	found := filtertest.Found(`[]`, rows)
	if len(found) != len(rows) || found[len(found)-1] != "bare/old" {
		t.Errorf("%d of %d rows are found without conditions, the oldest is %s", len(found), len(rows), found[len(found)-1])
	}
}

func parse(t interface{ Fatalf(string, ...any) }, text string) []condition {
	conditions, err := filter.Parse(filter.Observations(), text, filter.DefaultLimits())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return conditions
}

func matchAll(conditions []condition, row *domain.Observation) bool {
	for n := range conditions {
		if !conditions[n].Match(row) {
			return false
		}
	}
	return true
}
