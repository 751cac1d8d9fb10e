// Package retention deletes events that are no longer to be kept: those older than their project's retention, the
// oldest days beyond the size limits, and those of deleted projects. Daily totals of the deleted events are kept in the
// catalog. It also deletes the media of deleted events, and expired export files.
package retention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/media"
	"almanac/internal/store"
)

// KindName is the name of the jobs that delete.
const KindName = "retention"

// How often the jobs run. Deleted projects are handled soon; ages are counted in days, so an hour more or less does not
// matter.
const (
	everyDeletion  = time.Minute
	everyRetention = time.Hour
	everySize      = 10 * time.Minute
	// poll is how long a server waits before it looks for jobs that are due. They are due a little earlier than that,
	// since one that is due just after a look waits for the next one.
	poll  = everyDeletion
	early = 5 * time.Second
	// grace is how long after the deletion of a project a request that began before it may still write. It is measured
	// from when the job first sees the deletion, so that it does not depend on the wall clock.
	grace = 2 * time.Minute
)

// Job deletes events that are no longer to be kept.
type Job struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Media   *media.Library
	// Memory is the budget from which the work for each project takes a lease.
	Memory *memory.Budget
	Log    *slog.Logger
	Now    func() time.Time
	// MaxData is the maximum size of the events of all projects, in bytes; 0 means no limit.
	MaxData int64
	// Measure, if set, is called with the current usage, and Deleted with the number of rows deleted for each reason.
	Measure func(Usage)
	Deleted func(reason string, rows int)

	began    time.Time
	clock    steadiness
	seen     map[string]time.Duration // see deleteOrphans
	measured time.Time                // when this server measured the usage last; zero if another does
	warned   map[string]bool          // projects, and "" for the instance
	mark     int64                    // see settled
	marked   time.Time
}

// part is a part of the work, which is due on its own.
type part struct {
	id       string
	every    time.Duration
	steadily bool // only while the clock is steady, which determines what is old and what today is
	steps    []step
}

// step deletes something. A failure of one does not stop the next.
type step struct {
	what string
	run  func(*Job, context.Context) error
}

var parts = []part{
	{"retention-by-age", everyRetention, true, []step{
		{"expired events", (*Job).deleteOld},
		{"deleted prompts", func(j *Job, ctx context.Context) error { return j.Catalog.ExpirePrompts(ctx) }},
	}},
	{"retention-by-size", everySize, true, []step{{"oldest days", (*Job).deleteBeyond}}},
	{"cleanup", everyDeletion, false, []step{
		{"events of deleted projects", func(j *Job, ctx context.Context) error {
			return j.deleteOrphans(ctx, j.seen, time.Since(j.began))
		}},
		{"expired exports", func(j *Job, ctx context.Context) error { return j.Catalog.ExpireExports(ctx) }},
		{"unused files", func(j *Job, ctx context.Context) error { return j.Media.Sweep(ctx) }},
	}},
}

// Kind returns the jobs of this kind: one for each part. They run one after the other, over all servers.
func (j *Job) Kind() jobs.Kind {
	return jobs.Kind{
		Name: KindName, AtOnce: 1, Poll: poll, Claim: j.claim,
		Concerns: func(change tables.Change) bool { return change.Kind == catalog.KindJob },
	}
}

func (j *Job) claim(ctx context.Context, by leases.Server) (jobs.Job, error) {
	if j.began.IsZero() {
		var ids []string
		for _, p := range parts {
			ids = append(ids, p.id)
		}
		if err := j.Catalog.AddRecurring(ctx, KindName, ids...); err != nil {
			return nil, err
		}
		j.began, j.seen = time.Now(), make(map[string]time.Duration)
	}
	calm, jump := j.clock.look(j.Now().UnixNano(), time.Since(j.began))
	if jump != 0 {
		j.Log.Warn("system clock jumped: retention is paused", "by", jump.Round(time.Second), "wait", steady)
	}
	if !j.measured.IsZero() && time.Since(j.measured) > 2*everySize { // another server measures now
		j.measure(Usage{})
		j.measured = time.Time{}
	}
	var ids []string
	for _, p := range parts {
		if !p.steadily || calm >= steady {
			ids = append(ids, p.id)
		}
	}
	lease, err := j.Catalog.ClaimRecurring(ctx, by, KindName, ids)
	if err != nil || lease == nil {
		return nil, err
	}
	at := slices.IndexFunc(parts, func(p part) bool { return p.id == lease.ID })
	return &run{j, &parts[at], lease}, nil
}

// run is a part of the work that is leased to this server.
type run struct {
	*Job
	part  *part
	lease *catalog.RecurringJob
}

// Project implements jobs.Job: the work for each project takes its own memory lease.
func (r *run) Project() string { return "" }

// Attributes implements jobs.Job.
func (r *run) Attributes() []any { return []any{"job", r.part.id} }

// Result implements jobs.Job.
func (r *run) Result() []any { return nil }

// Work implements jobs.Job. It begins when no server of version 0.1 works, which an upgrade may run beside this one: they
// have no leases, but hold a lock as long as they run, and wait for a while before they delete anything.
func (r *run) Work(ctx context.Context) error {
	if err := r.Catalog.WithLock(ctx, "retention", func(context.Context) error { return nil }); err != nil {
		return err
	}
	ctx = r.lease.WithLease(ctx)
	var failures []error
	for _, s := range r.part.steps {
		if err := s.run(r.Job, ctx); err != nil {
			failures = append(failures, err)
			if ctx.Err() == nil {
				r.Log.Error("failed to delete expired data", "what", s.what, "error", err)
			}
		}
	}
	return errors.Join(failures...)
}

// Renew implements jobs.Job.
func (r *run) Renew(ctx context.Context) error { return r.Catalog.RenewRecurring(ctx, r.lease) }

// Release implements jobs.Job.
func (r *run) Release(ctx context.Context) error { return r.Catalog.ReleaseRecurring(ctx, r.lease) }

// Finish implements jobs.Job. What failed is tried again soon, and later and later if it goes on failing.
func (r *run) Finish(ctx context.Context, failure error) error {
	if failure == nil {
		return r.Catalog.FinishRecurring(ctx, r.lease, "", r.part.every-early)
	}
	again := jobs.Backoff{Shortest: everyDeletion, Longest: r.part.every}.After(r.lease.Failures)
	return r.Catalog.FinishRecurring(ctx, r.lease, "A deletion failed. The log of the server says why.", again)
}

// deleteOld deletes events older than their project's retention. A failure in one project does not stop the others.
func (j *Job) deleteOld(ctx context.Context) error {
	list, err := j.Catalog.Retentions(ctx)
	if err != nil {
		return err
	}
	var failures []error
	for _, r := range list {
		if r.Days == 0 {
			continue
		}
		observations, scores, err := j.expireWithMedia(ctx, r.ProjectID, domain.MicrosOf(j.Now().AddDate(0, 0, -r.Days)))
		if err != nil {
			failures = append(failures, err)
		}
		if j.count("age", observations+scores); observations+scores > 0 {
			j.Log.Info("deleted expired events", "project", r.ProjectID, "days", r.Days, "observations", observations, "scores", scores)
		}
	}
	return errors.Join(failures...)
}

// expireWithMedia deletes a project's events from before a time, with their media and marks.
func (j *Job) expireWithMedia(ctx context.Context, project string, before domain.Micros) (observations, scores int, err error) {
	ctx, release := j.Memory.Work(ctx, project)
	defer release()
	if observations, scores, err = j.expire(ctx, project, before); err != nil {
		return observations, scores, err
	}
	if err := j.deleteMedia(ctx, project, before); err != nil {
		return observations, scores, err
	}
	return observations, scores, j.Catalog.ForgetOldMarks(ctx, domain.OfProject(project), before.Time())
}

// tracesAtOnce is the number of traces examined in one step.
const tracesAtOnce = 500

// deleteMedia deletes the media of traces that got them before a time and no longer have any observations.
func (j *Job) deleteMedia(ctx context.Context, project string, before domain.Micros) error {
	scope := domain.OfProject(project)
	for after := ""; ; {
		ids, err := j.Catalog.TracesWithMedia(ctx, scope, before.Time(), after, tracesAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		after = ids[len(ids)-1]
		gone := slices.Clone(ids)
		for row, err := range j.Store.Observations().Lookup(ctx, scope, store.Lookup{TraceIDs: ids}) {
			if err != nil {
				return fmt.Errorf("cannot look up %d traces of project %s: %w", len(ids), project, err)
			}
			gone = slices.DeleteFunc(gone, func(id string) bool { return id == row.TraceID })
		}
		if err := j.Media.ForgetTraces(ctx, scope, gone); err != nil {
			return err
		}
	}
}

// deleteOrphans deletes the events of deleted projects. The map seen records when it first saw each of them; passed is
// the current time on the same clock.
func (j *Job) deleteOrphans(ctx context.Context, seen map[string]time.Duration, passed time.Duration) error {
	list, err := j.Catalog.DeletedProjects(ctx)
	if err != nil {
		return err
	}
	maps.DeleteFunc(seen, func(project string, _ time.Duration) bool { return !slices.Contains(list, project) })
	for _, project := range list {
		if _, known := seen[project]; !known {
			seen[project] = passed
		}
	}
	var failures []error
	for _, project := range list {
		if passed-seen[project] < grace {
			continue
		}
		if err := j.deleteOrphan(ctx, project); err != nil {
			failures = append(failures, err)
			continue
		}
		delete(seen, project)
	}
	return errors.Join(failures...)
}

// deleteOrphan deletes the events of a deleted project and everything that belongs to them.
func (j *Job) deleteOrphan(ctx context.Context, project string) error {
	ctx, release := j.Memory.Work(ctx, project)
	defer release()
	observations, scores, err := j.removeAll(ctx, project)
	if err != nil {
		return err
	}
	if err := j.Catalog.ForgetMediaOfProject(ctx, domain.OfProject(project)); err != nil {
		return err
	}
	if err := j.Catalog.EventsDeleted(ctx, project); err != nil {
		return err
	}
	j.count("project", observations+scores)
	j.Log.Info("deleted the events of a deleted project", "project", project, "observations", observations, "scores", scores)
	return nil
}

// removeAll deletes all rows of a project from both tables and returns how many there were.
func (j *Job) removeAll(ctx context.Context, project string) (observations, scores int, err error) {
	scope, s := domain.OfProject(project), store.Selection{All: true}
	if observations, err = j.Store.Observations().Delete(ctx, scope, s); err != nil {
		return 0, 0, fmt.Errorf("cannot delete observations of project %s: %w", project, err)
	}
	if scores, err = j.Store.Scores().Delete(ctx, scope, s); err != nil {
		return 0, 0, fmt.Errorf("cannot delete scores of project %s: %w", project, err)
	}
	return observations, scores, nil
}
