package filter

import (
	"strings"
	"testing"

	"almanac/internal/domain"
)

func TestTagged(t *testing.T) {
	tags := map[string][]string{"given": {"a", "b"}, "taken": {}}
	rows := []domain.Observation{
		{TraceID: "plain", Tags: []string{"a"}},
		{TraceID: "none"},
		{TraceID: "given", Tags: []string{"x"}},
		{TraceID: "taken", Tags: []string{"a"}},
	}
	column := ObservationColumn("tags")
	for _, c := range []struct {
		name     string
		operator Operator
		texts    []string
		want     string
	}{
		{"any of", AnyOf, []string{"a", "z"}, "plain given "},
		{"any of those that rows have", AnyOf, []string{"x"}, ""},
		{"all of", AllOf, []string{"a", "b"}, "given "},
		{"none of", NoneOf, []string{"a"}, "none taken "},
	} {
		where, err := OverrideTags([]Condition[domain.Observation]{Must(NewTexts(column, c.operator, c.texts))}, tags)
		if err != nil {
			t.Fatal(err)
		}
		var found strings.Builder
		for n := range rows {
			if MatchAll(where, &rows[n]) {
				found.WriteString(rows[n].TraceID + " ")
			}
		}
		if got := found.String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	other := []Condition[domain.Observation]{Must(NewText(ObservationColumn("name"), Equal, "n"))}
	if got, err := OverrideTags(other, tags); err != nil || len(got) != 1 {
		t.Errorf("conditions on something else became %d, %v", len(got), err)
	}
}
