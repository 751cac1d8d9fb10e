package retention

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/query/analytics"
	"almanac/internal/store/storetest"
	"almanac/test/failing"
)

// asked has queries of dashboards and of the home page, without view and time.
var asked = []string{
	`"metrics":[{"measure":"totalCost","aggregation":"sum"},{"measure":"totalTokens","aggregation":"sum"}]`,
	`"metrics":[{"measure":"totalCost","aggregation":"sum"},{"measure":"count","aggregation":"count"}],"timeDimension":{"granularity":"day"}`,
	`"metrics":[{"measure":"count","aggregation":"count"},{"measure":"inputTokens","aggregation":"avg"}],"timeDimension":{"granularity":"week"}`,
	`"metrics":[{"measure":"count","aggregation":"count"},{"measure":"outputTokens","aggregation":"sum"}],"timeDimension":{"granularity":"month"}`,
	`"metrics":[{"measure":"traceId","aggregation":"uniq"}],"timeDimension":{"granularity":"day"},"filters":[{"column":"level","type":"stringOptions","operator":"any of","value":["ERROR"]}]`,
	`"metrics":[{"measure":"traceId","aggregation":"uniq"},{"measure":"count","aggregation":"count"}]`,
	`"metrics":[{"measure":"traceId","aggregation":"uniq"}],"dimensions":[{"field":"environment"}]`,
	`"metrics":[{"measure":"traceId","aggregation":"uniq"}],"dimensions":[{"field":"level"}]`,
	`"metrics":[{"measure":"count","aggregation":"count"}],"filters":[{"column":"isRootObservation","type":"boolean","operator":"=","value":true},{"column":"environment","type":"stringOptions","operator":"any of","value":["production"]}]`,
	`"metrics":[{"measure":"totalCost","aggregation":"sum"},{"measure":"inputCost","aggregation":"sum"},{"measure":"outputCost","aggregation":"sum"}],"dimensions":[{"field":"providedModelName"}]`,
	`"metrics":[{"measure":"totalCost","aggregation":"sum"}],"dimensions":[{"field":"providedModelName"}],"timeDimension":{"granularity":"day"}`,
	`"metrics":[{"measure":"totalCost","aggregation":"sum"},{"measure":"count","aggregation":"count"}],"dimensions":[{"field":"name"},{"field":"environment"}],"timeDimension":{"granularity":"day"}`,
	`"metrics":[{"measure":"totalCost","aggregation":"sum"},{"measure":"totalTokens","aggregation":"sum"}],"dimensions":[{"field":"userId"}],"orderBy":[{"field":"sum_totalCost","direction":"desc"}],"config":{"row_limit":10},"filters":[{"column":"userId","type":"null","operator":"is not null","value":""}]`,
	`"metrics":[{"measure":"totalCost","aggregation":"sum"}],"timeDimension":{"granularity":"day"},"filters":[{"column":"userId","type":"string","operator":"=","value":"u1"}]`,
	`"metrics":[{"measure":"count","aggregation":"count"}],"dimensions":[{"field":"traceName"}]`,
	`"metrics":[{"measure":"count","aggregation":"count"}],"dimensions":[{"field":"type"},{"field":"level"}]`,
}

// number matches a number with decimals.
var number = regexp.MustCompile(`\d+\.\d+(e[-+]?\d+)?`)

// answers runs queries on a project for the hundred days before a time and the day after. Numbers are rounded to twelve
// digits, since the last binary digit depends on the order of addition.
func (j *Job) answers(t *testing.T, project string, now time.Time, questions []string) []string {
	t.Helper()
	return j.answersOf(t, analytics.V2, project, now, questions)
}

func (j *Job) answersOf(t *testing.T, version analytics.Version, project string, now time.Time, questions []string) []string {
	t.Helper()
	var list []string
	for _, question := range questions {
		q, err := analytics.ReadQuery(fmt.Sprintf(`{"view":"observations","fromTimestamp":%q,"toTimestamp":%q,%s}`,
			now.AddDate(0, 0, -100).Truncate(24*time.Hour).Format(time.RFC3339), now.AddDate(0, 0, 1).Format(time.RFC3339),
			question), version)
		if err != nil {
			t.Fatalf("%s: %v", question, err)
		}
		found, err := (&analytics.Engine{Store: j.Store, History: j.Catalog}).Answer(t.Context(), domain.OfProject(project), q)
		if err != nil {
			t.Fatalf("%s: %v", question, err)
		}
		list = append(list, number.ReplaceAllStringFunc(string(found.AppendJSON(nil, func(b []byte) []byte { return b })),
			func(text string) string {
				value, _ := strconv.ParseFloat(text, 64)
				return strconv.FormatFloat(value, 'g', 12, 64)
			}))
	}
	return list
}

// workload stores some traces for each of the last days: roots and generations with several models, users and names,
// and with errors.
func (j *Job) workload(t *testing.T, project string, days int, now time.Time) {
	t.Helper()
	var rows []domain.Observation
	for n := range days * 24 {
		at := domain.MicrosOf(now.Add(-time.Duration(n)*time.Hour - time.Minute))
		trace := fmt.Sprint("trace ", n)
		root := domain.Observation{
			TraceID: trace, ID: "root", Type: "SPAN", Name: fmt.Sprint("name ", n%5), Level: "DEFAULT", StartTime: at,
			Environment: []string{"production", "staging"}[n%2], UserID: []string{"", "u1", "u2", "ünï"}[n%4],
		}
		call := root
		call.ID, call.ParentID, call.Type, call.Name, call.Model = "call", "root", "GENERATION", "llm", fmt.Sprint("model ", n%3)
		call.InputTokens, call.OutputTokens, call.TotalTokens = int64(n), int64(2*n), domain.IntOf(int64(3*n))
		call.InputCost, call.OutputCost, call.TotalCost = 0.1*float64(n), 0.01, domain.FloatOf(0.1*float64(n)+0.01)
		if n%3 == 0 {
			call.Level, call.TraceName = "ERROR", "a trace"
		}
		rows = append(rows, root, call)
	}
	if err := j.Store.Observations().Append(t.Context(), domain.OfProject(project), rows); err != nil {
		t.Fatal(err)
	}
}

// TestSumsOutliveRows deletes most of a project, in several steps of odd lengths: all sums stay the same.
func TestSumsOutliveRows(t *testing.T) {
	j := newJob(t)
	now := j.Now().UTC().Truncate(24 * time.Hour).Add(15 * time.Hour)
	j.workload(t, "ever", 30, now)
	before := j.answers(t, "ever", now, asked)
	for n, answer := range before {
		if !strings.Contains(answer, `":`) || strings.Count(answer, `":0`) > 200 {
			t.Fatalf("%s says nothing: %s", asked[n], answer)
		}
	}
	for _, days := range []float64{25.3, 25, 12.7, 0.4} {
		if _, _, err := j.expire(t.Context(), "ever", domain.MicrosOf(now.Add(-time.Duration(days*24)*time.Hour))); err != nil {
			t.Fatal(err)
		}
		for n, answer := range j.answers(t, "ever", now, asked) {
			if answer != before[n] {
				t.Errorf("with the rows of %v days left, %s\nis   %s\nwas  %s", days, asked[n], answer, before[n])
			}
		}
	}
	if left := len(j.left(t, "ever")); left > 30 {
		t.Errorf("%d rows are left", left)
	}
}

// TestLateRowsAreAddedOnce adds rows to days that have already been deleted.
func TestLateRowsAreAddedOnce(t *testing.T) {
	j := newJob(t)
	now := j.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour) // so that the initial rows are deleted as well
	cut := domain.MicrosOf(now)
	j.workload(t, "ever", 5, now)
	if _, _, err := j.expire(t.Context(), "ever", cut); err != nil {
		t.Fatal(err)
	}
	late := domain.Observation{
		TraceID: "late", ID: "late", Type: "SPAN", Name: "late", StartTime: cut - 3*dayMicros, TotalCost: domain.FloatOf(7),
	}
	if err := j.Store.Observations().Append(t.Context(), domain.OfProject("ever"), []domain.Observation{late}); err != nil {
		t.Fatal(err)
	}
	before := j.answers(t, "ever", now, asked)
	for range 2 {
		if _, _, err := j.expire(t.Context(), "ever", cut); err != nil {
			t.Fatal(err)
		}
		if after := j.answers(t, "ever", now, asked); !slices.Equal(before, after) {
			t.Errorf("before the late row was deleted\n%s\nand after\n%s", before, after)
		}
	}
	if !strings.Contains(before[1], `"sum_totalCost"`) || len(j.left(t, "ever")) != 0 {
		t.Errorf("%s, and %d rows are left", before[1], len(j.left(t, "ever")))
	}
}

// TestFailuresBetweenSumsAndDeletion injects a failure into every call of a deletion, one per round: sums are right
// immediately and stay so when the deletion is completed later.
func TestFailuresBetweenSumsAndDeletion(t *testing.T) {
	template := newTemplate(t)
	failures := new(failing.Switch)
	for round := 0; ; round++ {
		w := newFailingJob(t, template, failures)
		now := time.Now().UTC().Truncate(24 * time.Hour).Add(15 * time.Hour)
		w.workload(t, "ever", 2, now)
		questions := []string{asked[1], asked[4], asked[9]} // for three kinds of totals
		before := w.answers(t, "ever", now, questions)
		cut := domain.MicrosOf(now.Add(-18 * time.Hour))
		failures.Arm()
		_, _, err := w.expire(t.Context(), "ever", cut)
		failed := failures.Disarm()
		if (err != nil) != (failed != "") {
			t.Fatalf("a failure of %q is answered with %v", failed, err)
		}
		if err != nil && !errors.Is(err, failing.ErrInjected) {
			t.Errorf("a failure of %s is answered with %v", failed, err)
		}
		for _, when := range []string{"at once", "when it is done"} {
			for n, answer := range w.answers(t, "ever", now, questions) {
				if answer != before[n] {
					t.Errorf("after a failure of %s, %s, %s\nis   %s\nwas  %s", failed, when, questions[n], answer, before[n])
				}
			}
			if _, _, err := w.expire(t.Context(), "ever", cut); err != nil {
				t.Fatal(err)
			}
		}
		if failed == "" {
			if round < 15 {
				t.Errorf("only %d calls were made to fail", round)
			}
			return
		}
	}
}

// TestManyValuesOfADay checks the limit on what is kept of a day.
func TestManyValuesOfADay(t *testing.T) {
	j := newJob(t)
	now := j.Now().UTC().Truncate(24 * time.Hour).Add(15 * time.Hour)
	cost := 0.0
	for batch := range 3 {
		var rows []domain.Observation
		for n := range 700 {
			id := fmt.Sprint(batch, "-", n)
			cost += float64(n)
			rows = append(rows, domain.Observation{
				TraceID: id, ID: id, Name: "n", UserID: id, Environment: fmt.Sprint("e", n%400),
				StartTime: domain.MicrosOf(now.AddDate(0, 0, -20)), TotalCost: domain.FloatOf(float64(n)),
			})
		}
		if err := j.Store.Observations().Append(t.Context(), domain.OfProject("ever"), rows); err != nil {
			t.Fatal(err)
		}
		if _, _, err := j.expire(t.Context(), "ever", domain.MicrosOf(now.AddDate(0, 0, -15))); err != nil {
			t.Fatal(err)
		}
	}
	for _, by := range []string{domain.TotalsByUser, domain.TotalsByModel, domain.TotalsByLevel} {
		totals, err := j.Catalog.DailyTotals(t.Context(), domain.OfProject("ever"), by, 0, 1<<40, true)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, total := range totals {
			sum += total.TotalCost
		}
		if len(totals) > 1200 || sum != cost {
			t.Errorf("by %s there are %d totals of %v in all, want 1200 at most of %v", by, len(totals), sum, cost)
		}
		if by == domain.TotalsByUser && (len(totals) < 1000 || !slices.ContainsFunc(totals, func(d domain.DailyTotal) bool {
			return d.Value == domain.OtherTotals
		})) {
			t.Errorf("%d users are kept one by one", len(totals))
		}
	}
}

// TestAncientRowsGoWithoutSums deletes rows that claim to be older than anything can be.
func TestAncientRowsGoWithoutSums(t *testing.T) {
	j := newJob(t)
	if err := j.Store.Observations().Append(t.Context(), domain.OfProject("ever"),
		[]domain.Observation{{TraceID: "t", ID: "ancient", StartTime: 5}}); err != nil {
		t.Fatal(err)
	}
	if n, _, err := j.expire(t.Context(), "ever", domain.MicrosOf(j.Now().AddDate(0, 0, -50))); err != nil || n != 1 {
		t.Errorf("%d were deleted, %v", n, err)
	}
	state, err := j.Catalog.TotalsState(t.Context(), domain.OfProject("ever"))
	if err != nil || state != (domain.TotalsState{}) {
		t.Errorf("%+v, %v", state, err)
	}
}

// TestBySize deletes the oldest days beyond the maximum, by project and overall, and keeps today.
func TestBySize(t *testing.T) {
	const row = 100 // bytes in the model; a day has an observation and a score
	for _, c := range []struct {
		name             string
		project, all     int64
		short, ever      int // rows left
		deletions, warns int
		fullness         float64
	}{
		{"there is no maximum", 0, 0, 20, 20, 0, 0, 0},
		{"there is room", 10_000, 100_000, 20, 20, 0, 0, 0.2},
		{"a project is nearly full", 22 * row, 0, 20, 20, 0, 1, 20.0 / 22},
		{"a project has too much", 9 * row, 0, 8, 20, 1, 1, 20.0 / 9},
		{"today alone is too much", row, 0, 2, 20, 1, 1, 20},
		{"the instance has too much", 0, 30 * row, 10, 10, 3, 1, 2},
		{"both", 4 * row, 30 * row, 4, 12, 3, 2, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t)
			noon := j.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
			j.Now = func() time.Time { return noon }
			j.rebuild(t, noon)
			var lines strings.Builder
			j.Log = slog.New(slog.NewTextHandler(&lines, nil))
			j.MaxData = c.all
			var measured []Usage
			j.Measure = func(u Usage) { measured = append(measured, u) }
			deleted := 0
			j.Deleted = func(reason string, rows int) {
				if reason == "size" {
					deleted += rows
				}
			}
			j.setMaximum(t, "short", c.project)
			for range 2 { // the second time there is nothing to do
				if err := j.deleteBeyond(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			short, ever := len(j.left(t, "short")), len(j.left(t, "ever"))
			if short != c.short || ever != c.ever || deleted != 60-short-ever-len(j.left(t, "gone")) {
				t.Errorf("%d and %d rows are left, want %d and %d; %d count as deleted", short, ever, c.short, c.ever, deleted)
			}
			if got := strings.Count(lines.String(), "deleted the oldest days"); got != c.deletions {
				t.Errorf("%d deletions are in the log, want %d: %s", got, c.deletions, lines.String())
			}
			if got := strings.Count(lines.String(), "close to its size limit"); got != c.warns {
				t.Errorf("%d warnings are in the log, want %d: %s", got, c.warns, lines.String())
			}
			if got := measured[0].Fullness; math.Abs(got-c.fullness) > 1e-9 {
				t.Errorf("the fullness is %v, want %v", got, c.fullness)
			}
			entries := auditOf(t, j)
			if got := strings.Count(entries, "system delete events before "+
				noon.AddDate(0, 0, -9).Format("2006-")[:2]); got != c.deletions {
				t.Errorf("%d deletions are in the audit log, want %d: %s", got, c.deletions, entries)
			}
		})
	}
}

// rebuild replaces all rows with an observation and a score at noon of each of ten days.
func (j *Job) rebuild(t *testing.T, noon time.Time) {
	t.Helper()
	for _, project := range []string{"short", "ever", "gone"} {
		scope := domain.OfProject(project)
		if _, _, err := j.removeAll(t.Context(), project); err != nil {
			t.Fatal(err)
		}
		for day := range 10 {
			at, id := domain.MicrosOf(noon.AddDate(0, 0, -day)), strconv.Itoa(day)
			if err := errors.Join(
				j.Store.Observations().Append(t.Context(), scope, []domain.Observation{{TraceID: "t" + id, ID: id, StartTime: at}}),
				j.Store.Scores().Append(t.Context(), scope, []domain.Score{{ID: id, Timestamp: at}}),
			); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// auditOf returns the audit log as JSON.
func auditOf(t *testing.T, j *Job) string {
	t.Helper()
	var list []string
	for e, err := range j.Catalog.AuditLogOfInstance(t.Context(), "", catalog.AuditFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, strings.Join([]string{e.Actor.Kind, e.Action, e.ResourceKind, e.ResourceID}, " "))
	}
	return strings.Join(list, "\n")
}

// setMaximum sets the maximum size of a project.
func (j *Job) setMaximum(t *testing.T, project string, bytes int64) {
	t.Helper()
	j.change(t, project, tenants.ProjectChange{MaxBytes: &bytes})
}

func (j *Job) change(t *testing.T, project string, change tenants.ProjectChange) {
	t.Helper()
	if _, err := j.Catalog.UpdateProject(t.Context(), domain.OfOrganization("org"), project, change,
		domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
}

// newFailingJob returns a job on an empty store and on a copy of a catalog, both of which fail as the switch says.
func newFailingJob(t *testing.T, template string, failures *failing.Switch) *Job {
	t.Helper()
	content, err := os.ReadFile(template)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "catalog.db")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.OpenSQLite(t.Context(), file, failures.Driver)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &Job{Catalog: c, Store: failures.Store(storetest.NewModel()), Log: slog.New(slog.DiscardHandler), Now: time.Now}
}
