package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/domain"
)

type listJobsCommand struct {
	config.Storage `embed:""`
	Project        string `help:"Only jobs of the project with this id." placeholder:"ID"`
	Kind           string `help:"Only jobs of this kind: export (files that people asked for), scheduled-export (to the bucket of a project), experiment or retention (deletions)." placeholder:"KIND"`
	All            bool   `help:"Also show jobs that have ended: done and cancelled."`
	Format         string `help:"Output format: ${enum}. Each line of jsonl is a JSON object." enum:"table,jsonl" default:"table" placeholder:"FORM"`
}

// Help returns the text shown below the options of the command.
func (*listJobsCommand) Help() string {
	return `Running jobs come first, then queued ones (due, but no server works on them yet), failed ones and those that wait until they are due again.

Queued jobs that no server takes mean that no server runs, or that the servers are busy with others: see also the metrics almanac_jobs and almanac_jobs_oldest_seconds.`
}

// openStates are the states of jobs that something more happens to, or that somebody should look at.
var openStates = []string{domain.JobQueued, domain.JobRunning, domain.JobFailed, domain.JobWaiting}

// shownJobs is the maximum number of jobs shown.
const shownJobs = 1000

func (l *listJobsCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, l.Storage)
	if err != nil {
		return err
	}
	defer c.Close()                                                 //nolint:errcheck // only read
	filter := catalog.JobFilter{Kind: l.Kind, Limit: shownJobs + 1} // one more, to know whether there are more
	if !l.All {
		filter.States = openStates
	}
	list := c.Jobs
	if l.Project != "" {
		list = func(ctx context.Context, filter catalog.JobFilter) ([]domain.Job, error) {
			return c.JobsOf(ctx, domain.OfProject(l.Project), filter)
		}
	}
	jobs, err := list(t.ctx, filter)
	if err != nil {
		return err
	}
	if len(jobs) > shownJobs {
		jobs = jobs[:shownJobs]
		_, _ = fmt.Fprintf(t.stderr, "Showing %d jobs; there are more. Narrow them down with --project and --kind.\n", shownJobs)
	}
	if l.Format == "jsonl" {
		lines := json.NewEncoder(t.stdout)
		for n := range jobs {
			if err := lines.Encode(&jobs[n]); err != nil {
				return err
			}
		}
		return nil
	}
	rows := make([][]string, len(jobs))
	for n := range jobs {
		j := &jobs[n]
		progress := "-"
		if j.Total != nil {
			progress = fmt.Sprintf("%d of %d", j.Rows, *j.Total)
		} else if j.Rows > 0 {
			progress = strconv.FormatInt(j.Rows, 10)
		}
		rows[n] = []string{
			j.Kind, printable(j.ID), orDash(printable(j.ProjectID)), j.State, at(j.DueAt), at(j.StartedAt), at(j.FinishedAt), progress,
			orDash(printable(j.Server)), strconv.Itoa(j.Failures), printable(j.Error),
		}
	}
	return t.table("KIND\tID\tPROJECT\tSTATE\tDUE\tSTARTED\tENDED\tROWS\tSERVER\tFAILURES\tERROR", rows)
}

// at returns a time as a table shows it.
func at(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return day(t)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

type cancelJobCommand struct {
	config.Storage `embed:""`
	ID             string `arg:"" help:"Id of the job, as almanac jobs list shows it."`
	Kind           string `help:"Kind of the job. Needed only if jobs of several kinds have the id." placeholder:"KIND"`
}

// Help returns the text shown below the options of the command.
func (*cancelJobCommand) Help() string {
	return `A server that works on the job stops within seconds. A scheduled export runs again at its usual time, and exports then what ` +
		`it has not exported now; to stop it for good, disable it in the settings of the project. An experiment ends for good. Retention runs again within an hour.`
}

func (j *cancelJobCommand) Run(t *terminal) error {
	return changeJob(t, j.Storage, j.Kind, j.ID, (*catalog.Catalog).CancelJob, "is neither queued nor running")
}

type retryJobCommand struct {
	config.Storage `embed:""`
	ID             string `arg:"" help:"Id of the job, as almanac jobs list shows it."`
	Kind           string `help:"Kind of the job. Needed only if jobs of several kinds have the id." placeholder:"KIND"`
}

// Help returns the text shown below the options of the command.
func (*retryJobCommand) Help() string {
	return `A running server begins within a minute. An export that was made already is not made again: request another one. A scheduled ` +
		`export that was disabled must be enabled in the settings of the project first. An experiment that is paused goes on, and one that is done repeats what failed.`
}

func (j *retryJobCommand) Run(t *terminal) error {
	return changeJob(t, j.Storage, j.Kind, j.ID, (*catalog.Catalog).RetryJob,
		"cannot be retried: it runs, is queued or done, its project has too many exports already, or its export is disabled")
}

// changeJob finds a job and changes it.
func changeJob(
	t *terminal, storage config.Storage, kind, id string, change func(*catalog.Catalog, context.Context, *domain.Job, domain.Actor) error,
	conflict string,
) error {
	c, err := openCatalog(t.ctx, storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // every write is durable before
	job, err := c.FindJob(t.ctx, kind, id)
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return fmt.Errorf("there is no job %q: almanac jobs list --all shows them", id)
	case err != nil:
		return err
	}
	if err := change(c, t.ctx, &job, operator); errors.Is(err, domain.ErrConflict) {
		return fmt.Errorf("the job %q %s; it is %s", id, conflict, job.State)
	} else if err != nil {
		return err
	}
	if job, err = c.FindJob(t.ctx, kind, id); err != nil {
		return err
	}
	t.printf("%s %s is %s\n", job.Kind, job.ID, job.State)
	return nil
}
