package experimenting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/scores"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/limits/usage"
	"almanac/internal/llm"
	"almanac/internal/llm/stored"
	"almanac/internal/llm/transcript"
)

const (
	// atOnce is the number of experiments that a server runs concurrently: more than one project may have.
	atOnce = 2*catalog.MaxRunningExperiments + 1
	// callMemory is what a call holds besides its texts, and textFactor how often its texts are held: the item, the messages,
	// the request, the rows, and while they are stored.
	callMemory = 512 << 10
	textFactor = 5
	// maxBegun is how often a call begins without an end before it counts as failed: servers may die of it.
	maxBegun = 3
	// maxInARow is how many calls may fail one after the other for reasons that pass: the provider does not work.
	maxInARow = 20
	// storingTime is how long storing what a call leaves may take, also when the server stops: the call has been paid for.
	storingTime = 30 * time.Second
)

// Models calls models; it is implemented by llm.Client.
type Models interface {
	Complete(ctx context.Context, c llm.Connection, r llm.Request) (*llm.Result, error)
}

// Recorder stores the rows of calls; it is implemented by ingest.Pipeline.
type Recorder interface {
	Rows(ctx context.Context, scope domain.ProjectScope, by domain.Consumer, rows []ingest.Row) ([]domain.Observation, error)
}

// Experiments runs the experiments listed in the catalog. Before and after each call, the catalog knows: an experiment whose
// server is killed goes on with the calls that have not ended, and one that is made again replaces what it left.
type Experiments struct {
	Catalog *catalog.Catalog
	// Secrets decrypts the secrets of connections.
	Secrets *secretbox.Box
	Models  Models
	Records Recorder
	Scores  *scores.Writer
	Log     *slog.Logger
}

// Kind returns the jobs that run experiments.
func (e *Experiments) Kind() jobs.Kind {
	return jobs.Kind{
		Name: catalog.JobExperiment, AtOnce: atOnce, Poll: jobs.Poll,
		Concerns: func(change tables.Change) bool {
			return change.Kind == catalog.KindExperimentRun || change.Kind == tables.KindProject
		},
		Claim: func(ctx context.Context, by leases.Server) (jobs.Job, error) {
			lease, err := e.Catalog.ClaimExperiment(ctx, by)
			if err != nil || lease == nil {
				return nil, err
			}
			return &job{Experiments: e, lease: lease}, nil
		},
	}
}

// job is a running experiment.
type job struct {
	*Experiments
	lease  *catalog.ExperimentLease
	paused atomic.Bool // no further call may begin
}

// Project implements jobs.Job.
func (j *job) Project() string { return j.lease.ProjectID }

// Attributes implements jobs.Job.
func (j *job) Attributes() []any {
	return []any{"experiment", j.lease.ID, "project", j.lease.ProjectID, "model", j.lease.Model}
}

// Result implements jobs.Job.
func (j *job) Result() []any { return []any{"calls", j.lease.Total, "paused", j.paused.Load()} }

// Renew implements jobs.Job. It is also called when somebody has paused the experiment.
func (j *job) Renew(ctx context.Context) error {
	goOn, err := j.Catalog.RenewExperiment(ctx, j.lease)
	if err == nil && !goOn {
		j.paused.Store(true)
	}
	return err
}

// Finish implements jobs.Job.
func (j *job) Finish(ctx context.Context, failure error) error {
	return j.Catalog.FinishExperiment(ctx, j.lease, j.paused.Load(), failureText(failure))
}

// Release implements jobs.Job.
func (j *job) Release(ctx context.Context) error { return j.Catalog.ReleaseExperiment(ctx, j.lease) }

// work is what the calls of an experiment share.
type work struct {
	*job
	scope                domain.ProjectScope
	plan                 Plan
	checks               checker
	metadata, parameters string

	inProgress atomic.Int64
	ended      chan struct{} // has something after a call has ended

	mu      sync.Mutex
	failure error // the first one that ends the experiment
	inARow  int   // calls that failed for reasons that pass, since one succeeded
}

// Work makes the calls that have not ended.
func (j *job) Work(ctx context.Context) error {
	w := &work{job: j, scope: domain.OfProject(j.lease.ProjectID), ended: make(chan struct{}, 1)}
	if err := json.Unmarshal(j.lease.Plan, &w.plan); err != nil {
		return fmt.Errorf("cannot read the plan of the experiment: %w", err)
	}
	var err error
	if w.checks, err = w.plan.Checks.compile(); err != nil {
		return err
	}
	w.parameters = transcript.Parameters(&llm.Request{Params: w.plan.Params})
	w.metadata = experimentMetadata(&j.lease.ExperimentRun, w.parameters)
	ended, err := j.Catalog.EndedCalls(ctx, j.lease)
	if err != nil {
		return err
	}
	var calls errgroup.Group
	calls.SetLimit(w.plan.Concurrency)
	// Items are read as they were at a time, so that each server finds the same ones.
	dataset := domain.Dataset{ID: j.lease.DatasetID, LastWrite: j.lease.AsOf}
	for item, err := range j.Catalog.AllDatasetItems(ctx, w.scope, dataset) {
		if err != nil {
			w.stop(err)
		}
		for repetition := 0; repetition < w.plan.Repetitions && w.goesOn(ctx); repetition++ {
			call := domain.ExperimentCall{ItemID: item.ID, Repetition: repetition}
			if ended[call] {
				continue
			}
			next := w.prepare(item, call)
			if err := w.reserve(ctx, next.held); err != nil {
				w.stop(err)
				break
			}
			calls.Go(func() error {
				defer w.giveBack(ctx, next.held)
				if err := jobs.Safely(func() error { return w.call(ctx, next) }); err != nil {
					w.stop(err)
				}
				return nil
			})
		}
		if !w.goesOn(ctx) {
			break
		}
	}
	_ = calls.Wait() // failures are in w
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return w.failure
}

// stop makes the experiment end once the calls in progress have.
func (w *work) stop(failure error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failure == nil {
		w.failure = failure
	}
}

// goesOn reports whether a further call may begin.
func (w *work) goesOn(ctx context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failure == nil && ctx.Err() == nil && !w.paused.Load()
}

// nextCall is a call that is about to be made.
type nextCall struct {
	domain.ExperimentCall
	item     domain.DatasetItem
	messages []llm.Message
	problem  error // why there are no messages
	held     int64
}

// prepare fills the messages for an item, and says how much memory the call takes.
func (w *work) prepare(item *domain.DatasetItem, call domain.ExperimentCall) *nextCall {
	next := &nextCall{ExperimentCall: call, item: *item}
	next.messages, next.problem = w.plan.fill(item)
	bytes := len(item.Input) + len(item.ExpectedOutput) + len(item.Metadata)
	for _, m := range next.messages {
		bytes += messageSize + len(m.Parts[0].Text)
	}
	next.held = callMemory + textFactor*int64(bytes)
	return next
}

// reserve takes memory for a call. If there is too much for one job, it waits for calls in progress to give back theirs: only
// a call that does not fit alone fails.
func (w *work) reserve(ctx context.Context, bytes int64) error {
	for {
		isAlone := w.inProgress.Load() == 0
		err := memory.Of(ctx).Grow(ctx, bytes)
		if err == nil {
			w.inProgress.Add(1)
		}
		if isAlone || !errors.Is(err, memory.ErrTooLarge) {
			return err
		}
		select {
		case <-w.ended:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// giveBack ends what reserve began.
func (w *work) giveBack(ctx context.Context, bytes int64) {
	memory.Of(ctx).Shrink(bytes)
	w.inProgress.Add(-1)
	select {
	case w.ended <- struct{}{}:
	default:
	}
}

// call asks the model about an item and records the answer. An error ends the experiment; that the model fails does not.
func (w *work) call(ctx context.Context, next *nextCall) error {
	if !w.goesOn(ctx) { // by now
		return nil
	}
	begun, err := w.Catalog.BeginCall(ctx, w.lease, next.ExperimentCall)
	if err != nil {
		return err
	}
	if begun == 0 {
		w.paused.Store(true)
		return nil
	}
	a := &answer{started: time.Now(), result: new(llm.Result), messages: next.messages, err: next.problem}
	if begun > maxBegun {
		a.messages, a.err = nil, unusable("The server was stopped %d times during this call, perhaps because of it", maxBegun)
	}
	if a.err == nil {
		// Read for each call: somebody may have replaced or removed it.
		connection, err := w.connection(ctx)
		if err != nil {
			return err
		}
		result, err := w.Models.Complete(ctx, connection, llm.Request{
			Model: w.lease.Model, Messages: a.messages, Params: w.plan.Params, Environment: domain.ExperimentEnvironment,
		})
		if ctx.Err() != nil {
			return ctx.Err() // the next server makes the call
		}
		if result != nil {
			a.result = result
		}
		if a.err = err; endsAll(err) {
			return &stoppedError{err.Error()}
		}
	}
	a.ended = time.Now()
	held := textFactor * int64(len(a.result.Text)+len(a.result.Reasoning))
	switch err := memory.Of(ctx).Grow(ctx, held); {
	case errors.Is(err, memory.ErrTooLarge):
		held = 0 // it is here, and has been paid for
	case err != nil:
		return err
	}
	defer memory.Of(ctx).Shrink(held)
	outcome, err := w.record(ctx, &next.item, namesOf(w.lease.ID, next.ExperimentCall), a)
	if err != nil {
		return err
	}
	storing, cancel := whileStoring(ctx)
	defer cancel()
	if err := w.Catalog.EndCall(storing, w.lease, next.ExperimentCall, outcome); err != nil {
		return err
	}
	return w.afterAll(a.err)
}

// connection returns the connection of the experiment as it is now.
func (w *work) connection(ctx context.Context) (llm.Connection, error) {
	connection, _, err := stored.Connection(ctx, w.Catalog, w.Secrets, w.scope, w.lease.Connection)
	if errors.Is(err, domain.ErrNotFound) {
		err = &stoppedError{fmt.Sprintf("The project has no LLM connection %q any more.", w.lease.Connection)}
	}
	return connection, err
}

// afterAll ends the experiment if one call after the other fails for reasons that pass.
func (w *work) afterAll(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Temporary() {
		if w.inARow++; w.inARow >= maxInARow {
			return &stoppedError{fmt.Sprintf("%d calls failed one after the other. The last one: %s", w.inARow, e.Message)}
		}
	} else if err == nil {
		w.inARow = 0
	}
	return nil
}

// whileStoring returns a context for storing what a call leaves, which does not end with the work.
func whileStoring(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storingTime)
}

// endsAll reports whether an error of a call is one of all calls, until somebody changes something.
func endsAll(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case llm.Unauthorized, llm.Forbidden, llm.Quota, llm.Billing, llm.UnknownModel, llm.Misconfigured:
		return true
	}
	return false
}

// stoppedError says why an experiment was paused, to people.
type stoppedError struct{ message string }

func (e *stoppedError) Error() string { return e.message }

// failureText returns the message shown to people for an experiment that was paused, or "" if nothing failed.
func failureText(err error) string {
	var (
		stopped *stoppedError
		limit   *usage.Exceeded
	)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &stopped):
		return stopped.message
	case errors.As(err, &limit):
		return "A limit of the project is reached: " + limit.Error()
	case errors.Is(err, memory.ErrTooLarge):
		return "An item takes more memory than the server has for one experiment. The operator can allow more with --memory."
	}
	return "The server could not go on. Its log says why. Resume the experiment to try again."
}
