package playground

import (
	"errors"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/httpapi/respond"
)

func TestRunsAreLimited(t *testing.T) {
	r := NewRuns(prometheus.NewRegistry())
	var ends []func()
	begin := func(project, person string) error {
		end, err := r.begin(project, person)
		if err == nil {
			ends = append(ends, end)
		}
		return err
	}
	fill := func(project, person string, count int) {
		t.Helper()
		for range count {
			if err := begin(project, person); err != nil {
				t.Fatal(err)
			}
		}
	}
	refused := func(project, person string) {
		t.Helper()
		if e, ok := errors.AsType[*respond.Error](begin(project, person)); !ok || e.Status != 429 || e.RetryAfter == 0 {
			t.Errorf("%s of %s is not refused: %v", person, project, e)
		}
	}
	fill("a", "ada", maxPerPerson)
	refused("a", "ada")
	fill("a", "bob", maxPerProject-maxPerPerson)
	refused("a", "eve")
	for _, project := range []string{"b", "c", "d"} {
		fill(project, "ada", maxPerPerson)
		fill(project, "bob", maxPerProject-maxPerPerson)
	}
	refused("e", "ada")
	for _, end := range ends {
		end()
	}
	if r.all != 0 || len(r.projects) != 0 || len(r.people) != 0 {
		t.Errorf("%d runs, %v, %v are left", r.all, r.projects, r.people)
	}
}
