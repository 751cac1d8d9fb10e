package filter

import (
	"math"
	"testing"

	"almanac/internal/domain"
)

func TestDerivedColumns(t *testing.T) {
	type row = domain.Observation
	name, latency := observationColumn(t, "name"), observationColumn(t, "latency")
	initial := DerivedText("initial", func(o *row) (string, bool) {
		if o.Name == "" {
			return "", true
		}
		return o.Name[:1], false
	}, name)
	millis := DerivedNumber("millis", func(o *row) (float64, bool) {
		seconds, null := latency.Number(o)
		return seconds * 1000, null
	}, latency)
	long := DerivedBool("long", func(o *row) bool { return len(o.Name) > 3 }, name)
	for _, c := range []*Column[row]{initial, millis, long} {
		if !c.Derived() || c.Index() != -1 || len(c.From()) != 1 {
			t.Errorf("%s: derived %v, index %d, from %d columns", c.ID(), c.Derived(), c.Index(), len(c.From()))
		}
	}
	if name.Derived() || name.From() != nil {
		t.Error("a column of the catalogue is derived")
	}
	o := row{Name: "chat", StartTime: 1_000_000, EndTime: 1_250_000}
	if got, null := initial.Text(&o); got != "c" || null {
		t.Errorf("initial %q, %v", got, null)
	}
	if got, null := millis.Number(&o); got != 250 || null {
		t.Errorf("millis %v, %v", got, null)
	}
	if !long.Bool(&o) {
		t.Error("chat is not long")
	}
	if _, null := DerivedNumber("none", func(*row) (float64, bool) { return math.NaN(), false }).Number(&o); !null {
		t.Error("what is no number is not null")
	}
	for want, c := range map[bool]Condition[row]{true: must(NewText(initial, Equal, "c")), false: must(NewNumber(millis, Greater, 250))} {
		if got := c.Match(&o); got != want {
			t.Errorf("%s %s: %v", c.Column().ID(), c.Operator(), got)
		}
	}
	if c := must(NewNull(initial, true)); !c.Match(&row{}) || c.Match(&o) {
		t.Error("null is not found")
	}
}
