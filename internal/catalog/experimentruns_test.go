package catalog_test

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/leases"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// experimentTest is a catalog with a dataset to run experiments on.
type experimentTest struct {
	*jobTest
	dataset domain.Dataset
}

func onBothWithExperiments(t *testing.T, test func(e *experimentTest)) {
	onBothWithJobs(t, func(j *jobTest) {
		d, err := j.PutDataset(j.Context(), j.Scope, catalog.DatasetChange{Name: "qa"}, nil, catalogtest.Tester)
		j.must(err)
		test(&experimentTest{j, d})
	})
}

func (e *experimentTest) create(names ...string) ([]domain.ExperimentRun, error) {
	runs := make([]domain.ExperimentRun, len(names))
	for n, name := range names {
		runs[n] = domain.ExperimentRun{
			DatasetID: e.dataset.ID, Name: name, Connection: "openai", Model: "m", Prompt: domain.PromptReference{Name: "p", Version: 3},
			Plan: json.RawMessage(`{"secret":"text"}`), AsOf: e.now, Total: 3,
		}
	}
	return e.CreateExperimentRuns(e.Context(), e.Scope, runs, catalogtest.Tester)
}

func (e *experimentTest) made(name string) domain.ExperimentRun {
	e.Helper()
	created, err := e.create(name)
	e.must(err)
	e.now = e.now.Add(time.Second)
	return created[0]
}

func (e *experimentTest) claimed(server string) *catalog.ExperimentLease {
	e.Helper()
	l, err := e.ClaimExperiment(e.Context(), leases.Server{Name: server, Life: time.Minute})
	e.must(err)
	return l
}

func (e *experimentTest) began(l *catalog.ExperimentLease, item string) bool {
	e.Helper()
	begun, err := e.BeginCall(e.Context(), l, domain.ExperimentCall{ItemID: item})
	e.must(err)
	return begun > 0
}

func (e *experimentTest) call(l *catalog.ExperimentLease, item string, outcome domain.ExperimentOutcome) {
	e.Helper()
	if !e.began(l, item) {
		e.Fatalf("%s may not begin", item)
	}
	e.must(e.EndCall(e.Context(), l, domain.ExperimentCall{ItemID: item}, outcome))
}

func (e *experimentTest) read(id string) domain.ExperimentRun {
	e.Helper()
	run, err := e.ExperimentRun(e.Context(), e.Scope, id)
	e.must(err)
	return run
}

func TestExperimentRuns(t *testing.T) {
	onBothWithExperiments(t, func(e *experimentTest) {
		ctx := e.Context()
		made := e.made("night")
		if made.State != domain.ExperimentQueued || made.Prompt.Version != 3 || made.DatasetName != "qa" || made.Plan != nil {
			e.Fatalf("created as %+v", made)
		}
		_, err := e.ExperimentRun(ctx, e.Other, made.ID)
		catalogtest.WantError(e.T, "of another project", err, domain.ErrNotFound)
		_, err = e.CancelExperiment(ctx, e.Other, made.ID, catalogtest.Tester)
		catalogtest.WantError(e.T, "of another project", err, domain.ErrNotFound)
		if others, err := e.ExperimentRuns(ctx, e.Other, made.DatasetID); err != nil || len(others) != 0 {
			e.Errorf("another project has %+v, %v", others, err)
		}
		_, err = e.create("night")
		catalogtest.WantError(e.T, "a name that is taken", err, domain.ErrConflict)

		l := e.claimed("one")
		if l == nil || l.ID != made.ID || string(l.Plan) != `{"secret":"text"}` || l.ProjectID != e.Scope.ProjectID() || l.OrganizationID == "" {
			e.Fatalf("claimed as %+v", l)
		}
		e.call(l, "a", domain.ExperimentOutcome{Cost: domain.FloatOf(0.25), InputTokens: 7, OutputTokens: 5})
		e.call(l, "b", domain.ExperimentOutcome{Failed: true})
		// A call that is recorded twice counts once.
		e.must(e.EndCall(ctx, l, domain.ExperimentCall{ItemID: "a"}, domain.ExperimentOutcome{Cost: domain.FloatOf(1)}))
		if got := e.read(made.ID); got.Done != 1 || got.Failed != 1 || got.Cost != 0.25 || got.Unpriced != 1 || got.InputTokens != 7 ||
			got.State != domain.ExperimentRunning || got.StartedAt == nil {
			e.Errorf("in progress it is %+v", got)
		}
		if got := e.states(catalog.JobFilter{Kind: catalog.JobExperiment}); got != made.ID+" running" {
			e.Errorf("the jobs are %q", got)
		}

		_, err = e.PauseExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		e.must(err)
		if e.began(l, "c") {
			e.Error("a call of a paused experiment began")
		}
		goOn, err := e.RenewExperiment(ctx, l)
		e.must(err)
		if goOn {
			e.Error("a paused experiment goes on")
		}
		_, err = e.ResumeExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		catalogtest.WantError(e.T, "calls are in progress", err, domain.ErrConflict)
		e.must(e.FinishExperiment(ctx, l, true, ""))
		if other := e.claimed("two"); other != nil {
			e.Error("a paused experiment was claimed")
		}
		_, err = e.ResumeExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		e.must(err)

		l = e.claimed("two")
		ended, err := e.EndedCalls(ctx, l)
		if err != nil || len(ended) != 2 || !ended[domain.ExperimentCall{ItemID: "a"}] {
			e.Errorf("%v have ended, %v", ended, err)
		}
		e.call(l, "c", domain.ExperimentOutcome{})
		_, err = e.RetryExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		catalogtest.WantError(e.T, "it runs", err, domain.ErrConflict)
		e.must(e.FinishExperiment(ctx, l, false, ""))
		if got := e.read(made.ID); got.State != domain.ExperimentDone || got.FinishedAt == nil || got.Total != 3 {
			e.Errorf("at the end it is %+v", got)
		}
		_, err = e.PauseExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		catalogtest.WantError(e.T, "it is done", err, domain.ErrConflict)

		_, err = e.RetryExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		e.must(err)
		l = e.claimed("one")
		if ended, err = e.EndedCalls(ctx, l); err != nil || len(ended) != 2 || ended[domain.ExperimentCall{ItemID: "b"}] {
			e.Errorf("after retrying, %v have ended, %v", ended, err)
		}
		_, err = e.CancelExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		e.must(err)
		_, err = e.BeginCall(ctx, l, domain.ExperimentCall{ItemID: "b"})
		catalogtest.WantError(e.T, "it was cancelled", err, leases.ErrLost)
		if got := e.read(made.ID); got.State != domain.ExperimentCancelled || got.Failed != 0 || got.Done != 2 {
			e.Errorf("cancelled it is %+v", got)
		}
	})
}

// TestCallsThatDoNotEnd: it is counted how often a call begins, until a person resumes the experiment.
func TestCallsThatDoNotEnd(t *testing.T) {
	onBothWithExperiments(t, func(e *experimentTest) {
		ctx := e.Context()
		made := e.made("night")
		call := domain.ExperimentCall{ItemID: "a"}
		for want := 1; want <= 3; want++ {
			l := e.claimed("one")
			e.call(l, "other "+strconv.Itoa(want), domain.ExperimentOutcome{})
			if got, err := e.BeginCall(ctx, l, call); err != nil || got != want {
				e.Errorf("it has begun %d times, %v, want %d", got, err, want)
			}
			e.must(e.ReleaseExperiment(ctx, l))
		}
		_, err := e.PauseExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		e.must(err)
		_, err = e.ResumeExperiment(ctx, e.Scope, made.ID, catalogtest.Tester)
		e.must(err)
		if got, err := e.BeginCall(ctx, e.claimed("one"), call); err != nil || got != 1 {
			e.Errorf("resumed, it has begun %d times, %v", got, err)
		}
	})
}

// TestExperimentsOfKilledServers: progress makes the count of unfinished work begin anew; without any, a person decides.
func TestExperimentsOfKilledServers(t *testing.T) {
	onBothWithExperiments(t, func(e *experimentTest) {
		made := e.made("night")
		for n := range 4 {
			l := e.claimed("server " + strconv.Itoa(n))
			if l == nil {
				e.Fatalf("server %d found nothing to do: %+v", n, e.read(made.ID))
			}
			e.call(l, strconv.Itoa(n), domain.ExperimentOutcome{Cost: domain.FloatOf(0)})
			e.now = e.now.Add(2 * time.Minute) // it is killed
		}
		for _, server := range []string{"four", "five"} {
			if l := e.claimed(server); l == nil {
				e.Fatalf("server %s found nothing to do", server)
			}
			e.now = e.now.Add(2 * time.Minute)
		}
		if l := e.claimed("six"); l != nil {
			e.Error("two servers were killed without a call that ended, and another goes on")
		}
		if got := e.read(made.ID); got.State != domain.ExperimentPaused || got.Error == "" {
			e.Errorf("it is %+v", got)
		}
		_, err := e.ResumeExperiment(e.Context(), e.Scope, made.ID, catalogtest.Tester)
		e.must(err)
		l := e.claimed("seven")
		if l == nil {
			e.Fatal("it was resumed, and nobody goes on")
		}
		e.must(e.ReleaseExperiment(e.Context(), l))
		if got := e.read(made.ID); got.State != domain.ExperimentQueued || got.Error != "" {
			e.Errorf("released it is %+v", got)
		}
		e.must(e.RetryJob(e.Context(), &domain.Job{Kind: catalog.JobExperiment, ID: e.paused(made.ID), ProjectID: e.Scope.ProjectID()},
			catalogtest.Tester))
		e.must(e.CancelJob(e.Context(), &domain.Job{Kind: catalog.JobExperiment, ID: made.ID, ProjectID: e.Scope.ProjectID()},
			catalogtest.Tester))
		if got := e.read(made.ID); got.State != domain.ExperimentCancelled {
			e.Errorf("cancelled as a job it is %+v", got)
		}
	})
}

// paused pauses an experiment.
func (e *experimentTest) paused(id string) string {
	e.Helper()
	_, err := e.PauseExperiment(e.Context(), e.Scope, id, catalogtest.Tester)
	e.must(err)
	return id
}

func TestExperimentsAreLimited(t *testing.T) {
	onBothWithExperiments(t, func(e *experimentTest) {
		names := make([]string, catalog.MaxOpenExperiments)
		for n := range names {
			names[n] = strconv.Itoa(n)
		}
		runs, err := e.create(names...)
		e.must(err)
		_, err = e.create("one more")
		catalogtest.WantError(e.T, "one more", err, domain.ErrTooMany)
		_, err = e.CancelExperiment(e.Context(), e.Scope, runs[9].ID, catalogtest.Tester)
		e.must(err)
		_, err = e.create("one more")
		e.must(err)
	})
}
