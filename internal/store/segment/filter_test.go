package segment

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/filter/filtertest"
	"almanac/internal/store"
)

// TestFilters compares the store with the definition of filters, on rows in memory, in segments and in both: every
// column with every type and operator, and random filters.
func TestFilters(t *testing.T) {
	s := opener(small())(t, t.TempDir())
	defer s.Close()
	scope := domain.OfProject("p")
	rows := filtertest.Rows()
	ctx := t.Context()
	check := func(t rapid.TB, text string) {
		where, err := filter.Parse(filter.Observations(), text, filter.DefaultLimits())
		if err != nil {
			t.Fatal(text, err)
		}
		var found []string
		for row, err := range s.Observations().Scan(ctx, scope, store.Query[domain.Observation]{Where: where}) {
			if err != nil {
				t.Fatal(text, err)
			}
			found = append(found, filtertest.Name(row))
		}
		if want := filtertest.Found(text, rows); !slices.Equal(found, want) {
			t.Errorf("%s finds %d rows, want %d\n got %q\nwant %q", text, len(found), len(want), found, want)
		}
	}
	half := len(rows) / 2
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"in memory", func() error { return s.Observations().Append(t.Context(), scope, rows) }},
		{"in segments", func() error { return s.Flush(t.Context()) }},
		{"in both", func() error { return s.Observations().Append(t.Context(), scope, rows[half:]) }},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		t.Run(step.name, func(t *testing.T) {
			for _, cell := range filtertest.Cells() {
				check(t, cell.Filter)
			}
			rapid.Check(t, func(rt *rapid.T) { check(rt, filtertest.Filters().Draw(rt, "filter")) })
		})
	}
}
