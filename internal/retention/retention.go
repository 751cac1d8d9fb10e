// Package retention deletes events that are no longer to be kept: those older than their project's retention, the
// oldest days beyond the size limits, and those of deleted projects. Daily totals of the deleted events are kept in the
// catalog. It also deletes the media of deleted events, and expired export files.
package retention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/media"
	"almanac/internal/store"
)

// How often the job runs. Deleted projects are handled soon; ages are counted in days, so an hour more or less does not
// matter.
const (
	everyDeletion  = time.Minute
	everyRetention = time.Hour
	everySize      = 10 * time.Minute
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

	warned map[string]bool // projects, and "" for the instance
	mark   int64           // see settled
	marked time.Time
}

// Run runs the job until ctx is done.
func (j *Job) Run(ctx context.Context) {
	tick := time.NewTicker(everyDeletion)
	defer tick.Stop()
	var clock steadiness
	deleted := make(map[string]time.Duration)
	began, next, nextSize := time.Now(), time.Duration(0), time.Duration(0)
	for {
		passed := time.Since(began)
		calm, jump := clock.look(j.Now().UnixNano(), passed)
		if jump != 0 {
			j.Log.Warn("system clock jumped: retention is paused", "by", jump.Round(time.Second), "wait", steady)
		}
		if calm >= steady && passed >= next {
			next = passed + everyRetention
			j.report(ctx, "expired events", j.deleteOld(ctx))
		}
		if calm >= steady && passed >= nextSize { // the clock determines what today is
			nextSize = passed + everySize
			j.report(ctx, "oldest days", j.deleteBeyond(ctx))
		}
		j.report(ctx, "events of deleted projects", j.deleteOrphans(ctx, deleted, passed))
		j.report(ctx, "expired exports", j.Catalog.ExpireExports(ctx))
		j.report(ctx, "unused files", j.Media.Sweep(ctx))
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// report logs a failed deletion. It is retried the next time.
func (j *Job) report(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		j.Log.Error("failed to delete expired data", "what", what, "error", err)
	}
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
