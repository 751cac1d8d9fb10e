package catalog

import (
	"context"
	"errors"
	"fmt"

	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// KindExperimentRun is the kind of changes to experiments that the server runs.
const KindExperimentRun = "experimentRun"

// JobExperiment is the kind of background jobs that run experiments.
const JobExperiment = "experiment"

// Limits of a project's experiments.
const (
	// MaxOpenExperiments is the maximum number of queued, running and paused experiments.
	MaxOpenExperiments = 50
	// MaxRunningExperiments is how many experiments of a project run at the same time, over all servers.
	MaxRunningExperiments = 2
	// MaxExperimentRuns is the maximum number of experiments whose progress is kept. The oldest that ended are forgotten;
	// their traces stay.
	MaxExperimentRuns = 500
)

const experimentColumns = "id, dataset_id, name, connection, model, prompt_name, prompt_version, as_of, state, error, total, done, failed, " +
	"cost, unpriced, input_tokens, output_tokens, actor_kind, actor_id, started_at, finished_at, created_at, updated_at"

const selectExperiment = "SELECT " + experimentColumns + ", " + tables.ActorName +
	", (SELECT d.name FROM datasets d WHERE d.id = dataset_id) FROM experiment_runs WHERE "

func experimentFields(r *domain.ExperimentRun) []any {
	return []any{
		&r.ID, &r.DatasetID, &r.Name, &r.Connection, &r.Model, &r.Prompt.Name, &r.Prompt.Version, tables.AsTime(&r.AsOf), &r.State,
		&r.Error, &r.Total, &r.Done, &r.Failed, &r.Cost, &r.Unpriced, &r.InputTokens, &r.OutputTokens, &r.Actor.Kind, &r.Actor.ID,
		tables.AsOptionalTime(&r.StartedAt), tables.AsOptionalTime(&r.FinishedAt), tables.AsTime(&r.CreatedAt), tables.AsTime(&r.UpdatedAt),
	}
}

func scanExperiment(r tables.Row) (e domain.ExperimentRun, err error) {
	err = r.Scan(append(experimentFields(&e), &e.ActorName, &e.DatasetName)...)
	return e, err
}

// experimentState is what the audit log has of an experiment; none of its texts.
func experimentState(r *domain.ExperimentRun) map[string]any {
	state := map[string]any{
		"name": r.Name, "datasetId": r.DatasetID, "connection": r.Connection, "model": r.Model, "state": r.State, "calls": r.Total,
	}
	if r.Prompt.Name != "" {
		state["prompt"], state["promptVersion"] = r.Prompt.Name, r.Prompt.Version
	}
	return state
}

// The conditions of experiments by state.
const (
	dueExperiment  = "state IN ('queued', 'running')"
	openExperiment = "state IN ('queued', 'running', 'paused')"
)

// ExperimentRuns returns the project's runs of experiments without their plans, newest first; those of a dataset if its id
// is not empty.
func (c *Catalog) ExperimentRuns(ctx context.Context, scope domain.ProjectScope, datasetID string) ([]domain.ExperimentRun, error) {
	where := tables.SQL("project_id = ?", scope.ProjectID()).And(tables.If(datasetID != "", "dataset_id = ?", datasetID))
	return tables.QueryAll(ctx, c.db.Reader(), scanExperiment,
		selectExperiment+where.Text+" ORDER BY created_at DESC, id DESC LIMIT ?", append(where.Args, MaxExperimentRuns)...)
}

// ExperimentRun returns a run of an experiment without its plan.
func (c *Catalog) ExperimentRun(ctx context.Context, scope domain.ProjectScope, id string) (domain.ExperimentRun, error) {
	return readExperiment(ctx, c.db.Reader(), scope, id)
}

func readExperiment(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.ExperimentRun, error) {
	if tables.Unstorable(id) {
		return domain.ExperimentRun{}, tables.WithSubject(domain.ErrNotFound, "experiment", id)
	}
	r, err := tables.QueryOne(ctx, s, scanExperiment, selectExperiment+"id = ? AND project_id = ?", id, scope.ProjectID())
	return r, tables.WithSubject(err, "experiment", id)
}

// CreateExperimentRuns queues experiments on one dataset of the project. It returns domain.ErrTooMany if too many are open,
// and domain.ErrConflict if the dataset has an experiment with the name of one of them.
func (c *Catalog) CreateExperimentRuns(
	ctx context.Context, scope domain.ProjectScope, runs []domain.ExperimentRun, actor domain.Actor,
) ([]domain.ExperimentRun, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) ([]domain.ExperimentRun, error) {
		if err := s.LockProject(ctx, scope); err != nil { // so that concurrent new experiments are counted
			return nil, err
		}
		open, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM experiment_runs WHERE project_id = ? AND "+
			openExperiment, scope.ProjectID())
		if err != nil {
			return nil, err
		}
		if open+len(runs) > MaxOpenExperiments {
			return nil, fmt.Errorf("%d experiments are open: %w", open, domain.ErrTooMany)
		}
		if _, err := s.Exec(ctx, `DELETE FROM experiment_runs WHERE id IN (SELECT id FROM experiment_runs
			WHERE project_id = ? AND state IN ('done', 'cancelled') ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?)`,
			scope.ProjectID(), MaxExperimentRuns, MaxExperimentRuns-MaxOpenExperiments); err != nil {
			return nil, err
		}
		created := make([]domain.ExperimentRun, len(runs))
		for n, run := range runs {
			if created[n], err = createExperiment(ctx, s, scope, run, actor); err != nil {
				return nil, tables.NamedConflict(err, "experiment", run.Name)
			}
		}
		return created, nil
	})
}

func createExperiment(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.ExperimentRun, actor domain.Actor,
) (domain.ExperimentRun, error) {
	if _, err := readDataset(ctx, s, scope, "id", n.DatasetID); err != nil {
		return n, err
	}
	linked, err := s.Exists(ctx, "SELECT 1 FROM dataset_runs WHERE id = ?", domain.ExperimentID(scope.ProjectID(), n.DatasetID, n.Name))
	if err == nil && linked {
		err = domain.ErrConflict
	}
	if err != nil {
		return n, err
	}
	now := s.Now()
	n.ID, n.State, n.Actor, n.CreatedAt, n.UpdatedAt = tables.OrderedID(), domain.ExperimentQueued, actor, now, now
	if err := s.Insert(ctx, "experiment_runs (project_id, plan, "+experimentColumns+")",
		append([]any{scope.ProjectID(), string(n.Plan)}, experimentFields(&n)...)...); err != nil {
		return n, err
	}
	created, err := readExperiment(ctx, s, scope, n.ID)
	if err != nil {
		return n, err
	}
	return created, s.AuditInProject(ctx, scope, actor, KindExperimentRun, n.ID, nil, tables.StateOf(experimentState(&created)))
}

// PauseExperiment pauses an experiment: calls in progress end as they would, and no other begins. It returns
// domain.ErrConflict if it neither runs nor waits to.
func (c *Catalog) PauseExperiment(
	ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor,
) (domain.ExperimentRun, error) {
	return c.changeExperiment(ctx, scope, id, actor, func(s tables.Session) (int64, error) {
		return s.Exec(ctx, "UPDATE experiment_runs SET state = 'paused', error = '' WHERE id = ? AND "+dueExperiment, id)
	})
}

// CancelExperiment ends an experiment for good, with its calls in progress. It returns domain.ErrConflict if it has ended.
func (c *Catalog) CancelExperiment(
	ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor,
) (domain.ExperimentRun, error) {
	return c.changeExperiment(ctx, scope, id, actor, func(s tables.Session) (int64, error) {
		changed, err := s.Exec(ctx, "UPDATE experiment_runs SET state = 'cancelled', error = '', finished_at = ? WHERE id = ? AND "+
			openExperiment, tables.Millis(s.Now()), id)
		if err == nil && changed > 0 {
			err = experimentLeases.Free(ctx, s, id)
		}
		return changed, err
	})
}

// ResumeExperiment continues a paused experiment. It returns domain.ErrConflict if it is not paused, or calls of it are
// still in progress.
func (c *Catalog) ResumeExperiment(
	ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor,
) (domain.ExperimentRun, error) {
	return c.changeExperiment(ctx, scope, id, actor, func(s tables.Session) (int64, error) {
		idle, err := idleExperiment(ctx, s)
		if err != nil {
			return 0, err
		}
		changed, err := s.Exec(ctx, "UPDATE experiment_runs SET state = 'queued', error = '' WHERE id = ? AND state = 'paused' AND "+
			idle.Text, append([]any{id}, idle.Args...)...)
		return changed, beginAnew(ctx, s, id, changed, err)
	})
}

// RetryExperiment repeats the calls of an experiment that failed. It returns domain.ErrConflict if none has, or if it runs
// or was cancelled.
func (c *Catalog) RetryExperiment(
	ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor,
) (domain.ExperimentRun, error) {
	return c.changeExperiment(ctx, scope, id, actor, func(s tables.Session) (int64, error) {
		idle, err := idleExperiment(ctx, s)
		if err != nil {
			return 0, err
		}
		changed, err := s.Exec(ctx, `UPDATE experiment_runs SET state = 'queued', error = '', failed = 0, finished_at = NULL
			WHERE id = ? AND state IN ('done', 'paused') AND failed > 0 AND `+idle.Text, append([]any{id}, idle.Args...)...)
		if err == nil && changed > 0 {
			_, err = s.Exec(ctx, "DELETE FROM experiment_run_calls WHERE run_id = ? AND state = 'failed'", id)
		}
		return changed, beginAnew(ctx, s, id, changed, err)
	})
}

// beginAnew forgets, for an experiment that a person has queued again, who had it and which calls have begun without an end.
func beginAnew(ctx context.Context, s tables.Session, id string, changed int64, err error) error {
	if err != nil || changed == 0 {
		return err
	}
	if err := experimentLeases.Free(ctx, s, id); err != nil {
		return err
	}
	_, err = s.Exec(ctx, "DELETE FROM experiment_run_calls WHERE run_id = ? AND state = 'begun'", id)
	return err
}

// idleExperiment returns the condition that no server works on an experiment.
func idleExperiment(ctx context.Context, s tables.Session) (tables.Condition, error) {
	now, err := leases.Now(ctx, s)
	return tables.SQL("(leased_by IS NULL OR leased_until < ?)", now), err
}

func (c *Catalog) changeExperiment(
	ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor, change func(tables.Session) (int64, error),
) (domain.ExperimentRun, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.ExperimentRun, error) {
		if err := s.LockProject(ctx, scope); err != nil { // the states before and after are those of this change
			return domain.ExperimentRun{}, err
		}
		before, err := readExperiment(ctx, s, scope, id)
		if err != nil {
			return before, err
		}
		changed, err := change(s)
		if err == nil && changed == 0 {
			err = fmt.Errorf("experiment %s is %s: %w", id, before.State, domain.ErrConflict)
		}
		if err == nil {
			_, err = s.Exec(ctx, "UPDATE experiment_runs SET updated_at = ? WHERE id = ?", tables.Millis(s.Now()), id)
		}
		if err != nil {
			return before, err
		}
		after, err := readExperiment(ctx, s, scope, id)
		if err != nil {
			return after, err
		}
		return after, s.AuditInProject(ctx, scope, actor, KindExperimentRun, id, tables.StateOf(experimentState(&before)),
			tables.StateOf(experimentState(&after)))
	})
}

// ExperimentLease is an experiment that is leased to a server.
type ExperimentLease struct {
	domain.ExperimentRun
	ProjectID      string
	OrganizationID string
	lease          *leases.Lease
}

// unfinishedExperiment is the error of an experiment that waits for a person.
const unfinishedExperiment = "The server was stopped twice before a call of this experiment ended, perhaps because of it. Resume it to try again."

// experimentLeases are the leases of experiments. The oldest experiment of the projects with the fewest running is next.
var experimentLeases = leases.Table{
	Name: "experiment_runs", Key: "id", From: "experiment_runs", Still: dueExperiment, Tenant: "project_id",
	MaxOfTenant: MaxRunningExperiments, Since: "created_at",
	GiveUp: func(ctx context.Context, s tables.Session, id string) error {
		_, err := s.Exec(ctx, "UPDATE experiment_runs SET state = 'paused', error = ?, updated_at = ? WHERE id = ? AND "+dueExperiment,
			unfinishedExperiment, tables.Millis(s.Now()), id)
		return err
	},
}

// ClaimExperiment leases the next experiment to a server, with its plan; it returns nil if there is none.
func (c *Catalog) ClaimExperiment(ctx context.Context, by leases.Server) (*ExperimentLease, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (*ExperimentLease, error) {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return nil, err
		}
		at := tables.Millis(s.Now())
		l, err := experimentLeases.Claim(ctx, s, by, now, tables.SQL(dueExperiment),
			tables.SQL("state = 'running', started_at = COALESCE(started_at, ?), updated_at = ?", at, at))
		if err != nil || l == nil {
			return nil, err
		}
		e := &ExperimentLease{lease: l}
		if e.ExperimentRun, err = tables.QueryOne(ctx, s, scanExperiment, selectExperiment+"id = ?", l.ID); err != nil {
			return nil, err
		}
		_, err = tables.QueryOne(ctx, s, func(r tables.Row) (none struct{}, err error) {
			return none, r.Scan(tables.AsRaw(&e.Plan), &e.ProjectID, &e.OrganizationID)
		}, "SELECT r.plan, p.id, p.organization_id FROM experiment_runs r JOIN projects p ON p.id = r.project_id WHERE r.id = ?", l.ID)
		return e, err
	})
}

// updateExperiment runs a transaction of the server that has the lease.
func (c *Catalog) updateExperiment(ctx context.Context, l *ExperimentLease, change func(tables.Session) error) error {
	return l.lease.Lived(ctx, c.db, c.db.Update(ctx, change))
}

// RenewExperiment extends the lease, and reports whether calls may begin: not if somebody has paused the experiment.
func (c *Catalog) RenewExperiment(ctx context.Context, l *ExperimentLease) (goOn bool, err error) {
	err = c.updateExperiment(ctx, l, func(s tables.Session) error {
		goOn, err = renewExperiment(ctx, s, l)
		return err
	})
	return goOn, err
}

func renewExperiment(ctx context.Context, s tables.Session, l *ExperimentLease) (goOn bool, err error) {
	if err := l.lease.Renew(ctx, s, tables.Query{}); err != nil { // also locks the row
		return false, err
	}
	state, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT state FROM experiment_runs WHERE id = ?", l.ID)
	return state == domain.ExperimentRunning, err
}

// EndedCalls returns the calls of a leased experiment that have ended.
func (c *Catalog) EndedCalls(ctx context.Context, l *ExperimentLease) (map[domain.ExperimentCall]bool, error) {
	return tables.QueryMap(ctx, c.db.Reader(), func(r tables.Row) (call domain.ExperimentCall, ended bool, err error) {
		err = r.Scan(&call.ItemID, &call.Repetition)
		return call, true, err
	}, "SELECT item_id, repetition FROM experiment_run_calls WHERE run_id = ? AND state IN ('done', 'failed')", l.ID)
}

// BeginCall records that a call begins, and returns how often it has without an end, this time included. It is 0 if no call
// may begin, because somebody has paused the experiment.
func (c *Catalog) BeginCall(ctx context.Context, l *ExperimentLease, call domain.ExperimentCall) (begun int, err error) {
	err = c.updateExperiment(ctx, l, func(s tables.Session) error {
		begun = 0
		goOn, err := renewExperiment(ctx, s, l)
		if err != nil || !goOn {
			return err
		}
		if _, err = s.Exec(ctx, `INSERT INTO experiment_run_calls (run_id, item_id, repetition, state, begun) VALUES (?, ?, ?, 'begun', 1)
			ON CONFLICT (run_id, item_id, repetition) DO UPDATE SET begun = experiment_run_calls.begun + 1`,
			l.ID, call.ItemID, call.Repetition); err != nil {
			return err
		}
		begun, err = tables.QueryOne(ctx, s, tables.ScanValue[int],
			"SELECT begun FROM experiment_run_calls WHERE run_id = ? AND item_id = ? AND repetition = ?", l.ID, call.ItemID, call.Repetition)
		return err
	})
	return begun, err
}

// EndCall records how a call ended, once.
func (c *Catalog) EndCall(ctx context.Context, l *ExperimentLease, call domain.ExperimentCall, outcome domain.ExperimentOutcome) error {
	return c.updateExperiment(ctx, l, func(s tables.Session) error {
		if err := l.lease.Renew(ctx, s, tables.SQL("unfinished = 0, updated_at = ?", tables.Millis(s.Now()))); err != nil {
			return err
		}
		state, done, failed, unpriced := domain.ExperimentDone, 1, 0, 0
		if outcome.Failed {
			state, done, failed = "failed", 0, 1
		}
		if !outcome.Cost.Set {
			unpriced = 1
		}
		changed, err := s.Exec(ctx, "UPDATE experiment_run_calls SET state = ? WHERE run_id = ? AND item_id = ? AND repetition = ? AND state = 'begun'",
			state, l.ID, call.ItemID, call.Repetition)
		if err != nil || changed == 0 {
			return err
		}
		_, err = s.Exec(ctx, `UPDATE experiment_runs SET done = done + ?, failed = failed + ?, unpriced = unpriced + ?, cost = cost + ?,
			input_tokens = input_tokens + ?, output_tokens = output_tokens + ? WHERE id = ?`,
			done, failed, unpriced, outcome.Cost.Value, outcome.InputTokens, outcome.OutputTokens, l.ID)
		return err
	})
}

// FinishExperiment ends the lease of an experiment whose calls have all ended, or that was paused. With a failure, it waits
// for a person.
func (c *Catalog) FinishExperiment(ctx context.Context, l *ExperimentLease, paused bool, failure string) error {
	return c.updateExperiment(ctx, l, func(s tables.Session) error {
		now := tables.Millis(s.Now())
		set := tables.SQL("state = 'done', total = done + failed, error = '', finished_at = ?, updated_at = ?", now, now)
		switch {
		case failure != "":
			set = tables.SQL("state = 'paused', error = ?, updated_at = ?", failure, now)
		case paused:
			set = tables.SQL("state = 'paused', updated_at = ?", now)
		}
		if err := l.lease.End(ctx, s, set); err != nil {
			return err
		}
		s.Note(tables.Change{Kind: KindExperimentRun, ProjectID: l.ProjectID})
		return nil
	})
}

// ReleaseExperiment ends the lease of an experiment that a server abandons because it is shutting down. The next server
// goes on with it.
func (c *Catalog) ReleaseExperiment(ctx context.Context, l *ExperimentLease) error {
	return leases.Released(c.updateExperiment(ctx, l, func(s tables.Session) error {
		return l.lease.End(ctx, s, tables.SQL("state = CASE WHEN state = 'running' THEN 'queued' ELSE state END"))
	}))
}

// experimentJobs returns the statement that selects experiments as background jobs, with the columns of allJobs.
func experimentJobs() tables.Query {
	return tables.SQL(`SELECT CAST(? AS TEXT), id, project_id, name,
		CASE WHEN state <> 'paused' THEN state WHEN error = '' THEN 'waiting' ELSE 'failed' END,
		CASE WHEN `+dueExperiment+` THEN updated_at END, started_at, finished_at, leased_by, CASE WHEN error = '' THEN 0 ELSE 1 END, error,
		done + failed, CAST(total AS BIGINT) FROM experiment_runs`, JobExperiment)
}

func (c *Catalog) cancelExperimentJob(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	_, err := c.CancelExperiment(ctx, scope, id, actor)
	return err
}

// retryExperimentJob resumes an experiment that is paused, or repeats what failed of one that has ended.
func (c *Catalog) retryExperimentJob(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	_, err := c.ResumeExperiment(ctx, scope, id, actor)
	if errors.Is(err, domain.ErrConflict) {
		_, err = c.RetryExperiment(ctx, scope, id, actor)
	}
	return err
}
