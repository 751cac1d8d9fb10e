package faults

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLedger gives the ledger correct and incorrect readings: each fault must be recognized as what it is.
func TestLedger(t *testing.T) {
	right := func() reading {
		found := make(reading)
		for _, id := range []string{"a1", "a2", "u1", "u2"} {
			found.add(observation, id, contentOf(id))
		}
		return found
	}
	type counts struct{ Lost, Doubled, Wrong int }
	for _, c := range []struct {
		name   string
		change func(found reading)
		want   counts
	}{
		{"everything", func(reading) {}, counts{}},
		{"nothing of an unanswered batch", func(f reading) {
			delete(f, key{observation, "u1"})
			delete(f, key{observation, "u2"})
		}, counts{}},
		{"half of an unanswered batch", func(f reading) { delete(f, key{observation, "u1"}) }, counts{Wrong: 1}},
		{"an acknowledged record is gone", func(f reading) { delete(f, key{observation, "a1"}) }, counts{Lost: 1}},
		{"a record twice", func(f reading) { f.add(observation, "a1", contentOf("a1")) }, counts{Doubled: 1}},
		{"an unanswered record twice", func(f reading) { f.add(observation, "u1", contentOf("u1")) }, counts{Doubled: 1}},
		{"another content", func(f reading) { f[key{observation, "a2"}] = []string{contentOf("a2") + " "} }, counts{Wrong: 1}},
		{"a record that nobody sent", func(f reading) { f.add(score, "x", contentOf("x")) }, counts{Wrong: 1}},
		{"a record of half a body", func(f reading) { f.add(observation, "n1", contentOf("n1")) }, counts{Wrong: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLedger()
			l.acknowledge(l.begin(observation, "a1", "a2"))
			l.begin(observation, "u1", "u2")
			l.deny(l.begin(observation, "n1"))
			found := right()
			c.change(found)
			got := l.compare(found, false)
			if diff := cmp.Diff(c.want, counts{got.lost, got.doubled, got.wrong}); diff != "" {
				t.Errorf("(-want +got):\n%s%v", diff, got.problems)
			}
			harmed := l.compareHarmed(found, nil)
			if half := c.name == "half of an unanswered batch"; !half &&
				!cmp.Equal(c.want, counts{harmed.lost, harmed.doubled, harmed.wrong}) {
				t.Errorf("with a damaged file %d are lost, %d doubled, %d wrong, want %+v", harmed.lost, harmed.doubled,
					harmed.wrong, c.want)
			}
		})
	}
	t.Run("a restart decides", func(t *testing.T) {
		l := newLedger()
		l.begin(observation, "there")
		l.begin(observation, "gone")
		found := make(reading)
		found.add(observation, "there", contentOf("there"))
		l.compare(found, true)
		other := make(reading)
		other.add(observation, "gone", contentOf("gone"))
		if got := l.compare(other, false); got.lost != 1 || got.wrong != 1 {
			t.Errorf("%d lost, %d wrong, want one of each: %v", got.lost, got.wrong, got.problems)
		}
	})
}
