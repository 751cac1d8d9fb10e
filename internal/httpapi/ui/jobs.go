package ui

import (
	"context"
	"errors"
	"slices"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/transfer/export"
)

// maxJobs is the maximum number of jobs that a project is shown.
const maxJobs = 200

// jobBody is a background job as its project sees it. Which server works on it is for operators.
type jobBody struct {
	Kind       string     `json:"kind"`
	ID         string     `json:"id"`
	Subject    string     `json:"subject"`
	State      string     `json:"state"`
	DueAt      *wire.Time `json:"dueAt"`
	StartedAt  *wire.Time `json:"startedAt"`
	FinishedAt *wire.Time `json:"finishedAt"`
	Failures   int        `json:"failures"`
	Error      string     `json:"error"`
	Rows       int64      `json:"rows"`
	TotalRows  *int64     `json:"totalRows"`
}

func newJobBody(j domain.Job) jobBody {
	return jobBody{
		j.Kind, j.ID, j.Subject, j.State, wire.OptionalTime(j.DueAt), wire.OptionalTime(j.StartedAt), wire.OptionalTime(j.FinishedAt),
		j.Failures, j.Error,
		j.Rows, j.Total,
	}
}

// ListJobs serves GET /api/ui/projects/{projectId}/jobs: those that the caller may see.
func (h *Handlers) ListJobs(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	jobs, err := h.Catalog.JobsOf(c.Context(), scope, catalog.JobFilter{Limit: maxJobs})
	jobs = slices.DeleteFunc(jobs, func(j domain.Job) bool { return maySeeJob(c, &j, domain.IntegrationsRead) != nil })
	return endpoint.ListAs("jobs", jobs, err, newJobBody)
}

// maySeeJob returns an error if the caller may not read what a job exports or, for a scheduled export, lacks the
// permission.
func maySeeJob(c *endpoint.Call, j *domain.Job, scheduled domain.Permission) error {
	switch j.Kind {
	case catalog.JobScheduledExport:
		return c.Require(scheduled)
	case catalog.JobExperiment:
		return c.Require(domain.PlaygroundRun)
	}
	return maySee(c, &export.Request{Table: j.Subject})
}

// CancelJob serves POST /api/ui/projects/{projectId}/jobs/{kind}/{jobId}/cancel.
func (h *Handlers) CancelJob(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.changeJob(c, scope, h.Catalog.CancelJob, "The job is neither running nor waiting to run.")
}

// RetryJob serves POST /api/ui/projects/{projectId}/jobs/{kind}/{jobId}/retry.
func (h *Handlers) RetryJob(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.changeJob(c, scope, h.Catalog.RetryJob,
		"The job cannot be run again: it is running, waiting, done or disabled, or too many exports are waiting.")
}

func (h *Handlers) changeJob(
	c *endpoint.Call, scope domain.ProjectScope, change func(context.Context, *domain.Job, domain.Actor) error, conflict string,
) (any, error) {
	filter := catalog.JobFilter{Kind: c.Path("kind"), ID: c.Path("jobId"), Limit: 1}
	found, err := h.Catalog.JobsOf(c.Context(), scope, filter)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, respond.NotFound("The project has no such job.")
	}
	if err := maySeeJob(c, &found[0], domain.IntegrationsWrite); err != nil {
		return nil, err
	}
	if err := change(c.Context(), &found[0], c.Actor()); errors.Is(err, domain.ErrConflict) {
		return nil, respond.Conflict(conflict)
	} else if err != nil {
		return nil, err
	}
	if found, err = h.Catalog.JobsOf(c.Context(), scope, filter); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, respond.NotFound("The job was deleted.")
	}
	return newJobBody(found[0]), nil
}
