package filter

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// TestDrafts reads conditions for a caller with its own columns.
func TestDrafts(t *testing.T) {
	limits := DefaultLimits()
	limits.NoMatches = true
	drafts, err := ParseDrafts(`[{"type":"string","column":"anything","operator":"=","value":"x"},{"type":"positionInTrace","column":"","operator":"="},`+
		`{"type":"null","column":"other","operator":"is null","value":""}]`, limits, "query", "filters")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := range drafts {
		got = append(got, drafts[n].Type()+" "+drafts[n].Column)
	}
	if diff := cmp.Diff([]string{"string anything", "null other"}, got); diff != "" {
		t.Fatal(diff)
	}
	if drafts[0].IsNull() || !drafts[1].IsNull() {
		t.Error("which of them asks for null is not known")
	}
	name, _ := Observations().Column("name")
	condition, err := Make(name, &drafts[0])
	if err != nil || !condition.Match(&domain.Observation{Name: "x"}) || condition.Match(&domain.Observation{Name: "y"}) {
		t.Errorf("the condition does not mean what it says: %v", err)
	}
	tags, _ := Observations().Column("tags")
	var refused *Refused
	if _, err := Make(tags, &drafts[0]); err == nil || errors.As(err, &refused) {
		t.Errorf("a text fits a list: %v", err)
	}
	if drafts, err := ParseDrafts("", limits); err != nil || len(drafts) != 0 {
		t.Errorf("no filter: %v, %v", drafts, err)
	}

	var invalid *decode.Invalid
	_, err = ParseDrafts(`[{"type":"string","column":"name","operator":"matches","value":"x"}]`, limits, "query", "filters")
	if !errors.As(err, &invalid) {
		t.Fatalf("matches: %v", err)
	}
	want := decode.Invalid{Issues: []decode.Issue{
		decode.NotInEnum([]any{"query", "filters", 0, "operator"}, []string{
			"=", "contains", "does not contain", "starts with", "ends with",
		}),
	}}
	if diff := cmp.Diff(want.Indented(), invalid.Indented()); diff != "" {
		t.Error(diff)
	}
}

// TestLift reads every column of rows contained in others.
func TestLift(t *testing.T) {
	type holder struct{ held *domain.Observation }
	row := &domain.Observation{
		ID: "i", Name: "n", Tags: []string{"a"}, StartTime: 5, EndTime: 2_000_005, PromptVersion: domain.IntOf(3), Input: "in",
		Metadata: `{"k":1}`,
	}
	for _, column := range Observations().Columns() {
		lifted := Lift(column, func(h *holder) *domain.Observation { return h.held })
		if lifted.ID() != column.ID() || lifted.Kind() != column.Kind() || lifted.Nullable() != column.Nullable() ||
			lifted.EmptyIsNull() != column.EmptyIsNull() ||
			lifted.Decimals() != column.Decimals() || !lifted.Derived() {
			t.Errorf("%s is another column now", column.ID())
		}
		h := &holder{row}
		var got, want any
		switch column.Kind() {
		case Text, LongText, Metadata:
			got, _ = lifted.Text(h)
			want, _ = column.Text(row)
		case List:
			got, want = lifted.List(h), column.List(row)
		case Number:
			got, _ = lifted.Number(h)
			want, _ = column.Number(row)
		case Bool:
			got, want = lifted.Bool(h), column.Bool(row)
		case Time:
			got, want = lifted.TimeOf(h), column.TimeOf(row)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", column.ID(), diff)
		}
	}
}
