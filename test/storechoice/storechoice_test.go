package storechoice

import (
	"errors"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

// TestPartsAreApart checks that parts of one store do not see each other's rows, and that closing one does not close
// another.
func TestPartsAreApart(t *testing.T) {
	whole, project := storetest.NewModel(), domain.OfProject("p")
	one, other := newPart(whole, "1-"), newPart(whole, "2-")
	if err := one.Observations().Append(t.Context(), project, []domain.Observation{{TraceID: "t", ID: "o", StartTime: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := other.Scores().Append(t.Context(), project, []domain.Score{{ID: "s", Timestamp: 1}}); err != nil {
		t.Fatal(err)
	}
	seen := func(p *part) (rows int, err error) {
		for _, err := range p.Observations().Scan(t.Context(), project, store.Query[domain.Observation]{}) {
			if err != nil {
				return rows, err
			}
			rows++
		}
		return rows, nil
	}
	for name, c := range map[string]struct {
		part                 *part
		observations, scores int64
	}{"one": {one, 1, 0}, "other": {other, 0, 1}} {
		stats := c.part.Stats()
		if rows, err := seen(c.part); err != nil || int64(rows) != c.observations || stats.Observations.Rows != c.observations ||
			stats.Scores.Rows != c.scores {
			t.Errorf("%s sees %d observations (%v), and counts %d and %d scores", name, rows, err, stats.Observations.Rows,
				stats.Scores.Rows)
		}
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := seen(one); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a closed part answers: %v", err)
	}
	if _, err := seen(other); err != nil {
		t.Error(err)
	}
}

func TestUnknownStore(t *testing.T) {
	if _, err := open(t, "paper"); err == nil || !strings.Contains(err.Error(), `"paper"`) {
		t.Errorf("%v", err)
	}
}
