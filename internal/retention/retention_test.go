package retention

import (
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

// newJob returns a job at noon of a day, on a catalog with the projects "short" (7 days), "ever" and "gone", each with an
// observation and a score of every one of the last ten days.
func newJob(t *testing.T) *Job {
	t.Helper()
	c, err := catalog.Open(t.Context(), filepath.Join(t.TempDir(), "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	by := domain.Actor{Kind: "cli"}
	if _, err := c.CreateOrganization(t.Context(), "org", "Org", by); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	j := &Job{Catalog: c, Store: storetest.NewModel(), Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}
	for project, days := range map[string]int{"short": 7, "ever": 0, "gone": 0} {
		if _, err := c.CreateProject(t.Context(), domain.OfOrganization("org"), catalog.NewProject{ID: project, Name: project, RetentionDays: days}, by); err != nil {
			t.Fatal(err)
		}
		scope := domain.OfProject(project)
		for day := range 10 {
			at := domain.MicrosOf(now.AddDate(0, 0, -day).Add(-time.Minute))
			id := string(rune('0' + day))
			if err := j.Store.Observations().Append(t.Context(), scope, []domain.Observation{{TraceID: "t" + id, ID: id, StartTime: at}}); err != nil {
				t.Fatal(err)
			}
			if err := j.Store.Scores().Append(t.Context(), scope, []domain.Score{{ID: id, Timestamp: at}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return j
}

// left returns the ids of what a project has, observations first.
func (j *Job) left(t *testing.T, project string) (ids []string) {
	t.Helper()
	for row, err := range j.Store.Observations().Scan(t.Context(), domain.OfProject(project), store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, row.ID)
	}
	for row, err := range j.Store.Scores().Scan(t.Context(), domain.OfProject(project), store.Query[domain.Score]{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, row.ID)
	}
	return ids
}

func TestOldEventsAreDeleted(t *testing.T) {
	j := newJob(t)
	if err := j.deleteOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	week := []string{"0", "1", "2", "3", "4", "5", "6"}
	if got, want := j.left(t, "short"), slices.Concat(week, week); !slices.Equal(got, want) {
		t.Errorf("a project with seven days has %v, want %v", got, want)
	}
	if got := len(j.left(t, "ever")); got != 20 {
		t.Errorf("a project without retention has %d rows, want all 20", got)
	}
}

func TestEventsOfDeletedProjectsAreDeleted(t *testing.T) {
	j := newJob(t)
	if err := j.Catalog.DeleteProject(t.Context(), domain.OfOrganization("org"), "gone", domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	deleted := j.Now()
	step := func(at time.Time, want int) {
		t.Helper()
		j.Now = func() time.Time { return at }
		if err := j.deleteOrphans(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := len(j.left(t, "gone")); got != want {
			t.Errorf("%v after its deletion the project has %d rows, want %d", at.Sub(deleted), got, want)
		}
	}
	step(deleted.Add(grace/2), 20) // somebody may still be writing
	step(deleted.Add(2*grace), 0)
	if owed, err := j.Catalog.DeletedProjects(t.Context(), deleted.Add(time.Hour)); err != nil || len(owed) != 0 {
		t.Errorf("still owed: %v, %v", owed, err)
	}
	if got := len(j.left(t, "ever")); got != 20 {
		t.Errorf("another project has %d rows, want all 20", got)
	}
}
