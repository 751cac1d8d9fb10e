package filter_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// TestChoose checks that a choice knows columns only under its own names, and that conditions are on the original
// columns.
func TestChoose(t *testing.T) {
	choice := filter.Observations().Choose([2]string{"id", "experimentId"}, [2]string{"name", "experimentName"})
	conditions, err := filter.Parse(choice, `[{"type":"stringOptions","column":"id","operator":"any of","value":["e1"]},`+
		`{"type":"string","column":"name","operator":"contains","value":"run"}]`, filter.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for n, id := range []string{"experimentId", "experimentName"} {
		if column, _ := filter.Observations().Column(id); conditions[n].Column() != column {
			t.Errorf("condition %d is about %s, want %s", n, conditions[n].Column().ID(), id)
		}
	}
	row := domain.Observation{ID: "e1", Name: "run", ExperimentID: "e1", ExperimentName: "a run"}
	if !matchAll(conditions, &row) {
		t.Error("a row that meets both conditions is not found")
	}
	if row.ExperimentID = "e2"; matchAll(conditions, &row) {
		t.Error("a row of another experiment is found")
	}

	wrongColumn := decode.NotInEnum([]any{"filter", 0, "column"}, []string{"id", "name"})
	for _, c := range []struct {
		text   string
		issues []decode.Issue
		refuse string
	}{
		{text: `[{"type":"string","column":"experimentId","operator":"=","value":"x"}]`, issues: []decode.Issue{wrongColumn}},
		{text: `[{"type":"datetime","column":"startTime","operator":">","value":0}]`, issues: []decode.Issue{wrongColumn}},
		{text: `[{"type":"string","column":1,"operator":"=","value":"x"}]`, issues: []decode.Issue{wrongColumn}},
		{text: `[{"type":"string","operator":"=","value":"x"}]`, issues: []decode.Issue{wrongColumn}},
		{
			text: `[{"type":"string","column":"x","operator":"=","value":1}]`,
			issues: []decode.Issue{
				wrongColumn, decode.WrongType([]any{"filter", 0, "value"}, "string", "number"),
			},
		},
		{
			text:   `[{"type":"number","column":"id","operator":"=","value":1}]`,
			refuse: "Invalid filter type 'number' for column 'id'. Expected filter type 'stringOptions'.",
		},
		{
			text:   `[{"type":"string","column":"name","operator":"matches","value":"x"}]`,
			refuse: "`matches` is only supported for input, output, and metadata filters.",
		},
	} {
		_, err := filter.Parse(choice, c.text, filter.DefaultLimits())
		var invalid *decode.Invalid
		var refused *filter.Refused
		switch {
		case c.refuse != "":
			if !errors.As(err, &refused) || refused.Message != c.refuse {
				t.Errorf("%s: %v", c.text, err)
			}
		case !errors.As(err, &invalid):
			t.Errorf("%s: %v", c.text, err)
		default:
			if diff := cmp.Diff((&decode.Invalid{Issues: c.issues}).Indented(), invalid.Indented()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.text, diff)
			}
		}
	}
}

func TestChooseRefusesMistakes(t *testing.T) {
	for _, pairs := range [][][2]string{{{"x", "nothing"}}, {{"x", "id"}, {"x", "name"}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is a choice", pairs)
				}
			}()
			filter.Observations().Choose(pairs...)
		}()
	}
}
