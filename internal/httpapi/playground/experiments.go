package playground

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/experimenting"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	queryPrompts "almanac/internal/query/prompts"
)

const noExperiment = "There is no such experiment in this project"

type promptBody struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// experimentBody is an experiment that the server runs.
type experimentBody struct {
	ID           string      `json:"id"`
	ExperimentID string      `json:"experimentId"`
	Name         string      `json:"name"`
	DatasetID    string      `json:"datasetId"`
	DatasetName  string      `json:"datasetName"`
	Connection   string      `json:"connection"`
	Model        string      `json:"model"`
	Prompt       *promptBody `json:"prompt"` // null for none
	State        string      `json:"state"`
	Error        string      `json:"error"`
	Total        int64       `json:"total"`
	Done         int64       `json:"done"`
	Failed       int64       `json:"failed"`
	Cost         float64     `json:"cost"`
	Unpriced     int64       `json:"unpriced"`
	InputTokens  int64       `json:"inputTokens"`
	OutputTokens int64       `json:"outputTokens"`
	AsOf         wire.Time   `json:"asOf"`
	StartedBy    string      `json:"startedBy"`
	CreatedAt    wire.Time   `json:"createdAt"`
	StartedAt    *wire.Time  `json:"startedAt"`
	FinishedAt   *wire.Time  `json:"finishedAt"`
}

func newExperimentBody(scope domain.ProjectScope) func(domain.ExperimentRun) experimentBody {
	return func(r domain.ExperimentRun) experimentBody {
		return experimentBody{
			r.ID, domain.ExperimentID(scope.ProjectID(), r.DatasetID, r.Name), r.Name, r.DatasetID, r.DatasetName, r.Connection, r.Model,
			newPromptBody(r.Prompt), r.State, r.Error, r.Total, r.Done, r.Failed, r.Cost, r.Unpriced, r.InputTokens, r.OutputTokens,
			wire.Time(r.AsOf), r.ActorName, wire.Time(r.CreatedAt), wire.OptionalTime(r.StartedAt), wire.OptionalTime(r.FinishedAt),
		}
	}
}

func newPromptBody(p domain.PromptReference) *promptBody {
	if p.Name == "" {
		return nil
	}
	return &promptBody{p.Name, p.Version}
}

// ListExperiments returns the experiments that the server runs or has run, newest first.
func (h *Handlers) ListExperiments(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	var dataset string
	decode.Set(&dataset, q.String("datasetId"))
	if err := q.Err(); err != nil {
		return nil, err
	}
	runs, err := h.Catalog.ExperimentRuns(c.Context(), scope, dataset)
	return endpoint.ListAs("experiments", runs, err, newExperimentBody(scope))
}

// GetExperiment returns an experiment with its progress.
func (h *Handlers) GetExperiment(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	run, err := h.Catalog.ExperimentRun(c.Context(), scope, c.Path("runId"))
	return endpoint.Show(run, endpoint.NotFoundAs(err, noExperiment), newExperimentBody(scope))
}

// PauseExperiment pauses an experiment. Calls in progress end as they would.
func (h *Handlers) PauseExperiment(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.changeExperiment(c, scope, h.Catalog.PauseExperiment, "The experiment neither runs nor waits to run.")
}

// ResumeExperiment continues a paused experiment.
func (h *Handlers) ResumeExperiment(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.changeExperiment(c, scope, h.Catalog.ResumeExperiment,
		"The experiment is not paused, or calls of it are still in progress. Try again shortly.")
}

// CancelExperiment ends an experiment for good.
func (h *Handlers) CancelExperiment(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.changeExperiment(c, scope, h.Catalog.CancelExperiment, "The experiment has ended.")
}

// RetryExperiment repeats the calls that failed.
func (h *Handlers) RetryExperiment(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.changeExperiment(c, scope, h.Catalog.RetryExperiment,
		"No call of the experiment has failed, or it still runs, or it was cancelled.")
}

func (h *Handlers) changeExperiment(
	c *endpoint.Call, scope domain.ProjectScope,
	change func(context.Context, domain.ProjectScope, string, domain.Actor) (domain.ExperimentRun, error), conflict string,
) (any, error) {
	run, err := change(c.Context(), scope, c.Path("runId"), c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return nil, respond.Conflict(conflict)
	}
	return endpoint.Show(run, endpoint.NotFoundAs(err, noExperiment), newExperimentBody(scope))
}

// StartExperiments queues one experiment for each prompt and model.
func (h *Handlers) StartExperiments(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	in, err := h.readExperiments(c, scope)
	if err != nil {
		return nil, err
	}
	runs, err := in.runs()
	if err != nil {
		return nil, err
	}
	created, err := h.Catalog.CreateExperimentRuns(c.Context(), scope, runs, c.Actor())
	switch {
	case errors.Is(err, domain.ErrConflict):
		return nil, respond.Conflict("The dataset has an experiment with this name already. Choose another one.")
	case errors.Is(err, domain.ErrTooMany):
		return nil, respond.Conflict(fmt.Sprintf("A project has at most %d experiments that run, wait or are paused. Let some end, or cancel them.",
			catalog.MaxOpenExperiments))
	case err != nil:
		return nil, err
	}
	return respond.Status{Code: http.StatusCreated, Body: map[string]any{
		"experiments": endpoint.Map(created, newExperimentBody(scope)),
	}}, nil
}

type problemBody struct {
	Message string `json:"message"`
	Items   int64  `json:"items"`
	ItemID  string `json:"itemId"`
}

type estimateBody struct {
	Name         string        `json:"name"`
	Connection   string        `json:"connection"`
	Model        string        `json:"model"`
	Prompt       *promptBody   `json:"prompt"`
	Calls        int64         `json:"calls"`
	InputTokens  int64         `json:"inputTokens"`
	OutputTokens int64         `json:"outputTokens"`
	Cost         *float64      `json:"cost"` // null if the price list does not have the model
	Problems     []problemBody `json:"problems"`
}

// EstimateExperiments returns what the experiments would probably take. It starts nothing.
func (h *Handlers) EstimateExperiments(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	in, err := h.readExperiments(c, scope)
	if err != nil {
		return nil, err
	}
	list, err := h.Prices.Of(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	models := endpoint.Map(in.models, func(m domain.DefaultModel) string { return m.Model })
	bodies := []estimateBody{}
	for n := range in.prompts {
		plan := in.plan(n)
		e := experimenting.Estimator{Plan: &plan, Prices: list, Models: models}
		found, err := e.Estimate(h.Catalog.AllDatasetItems(c.Context(), scope, in.dataset))
		if err != nil {
			return nil, err
		}
		for m, each := range found {
			body := estimateBody{
				Name: in.nameOf(n, m), Connection: in.models[m].Provider, Model: in.models[m].Model,
				Prompt: newPromptBody(in.prompts[n].ref), Calls: each.Calls, InputTokens: each.InputTokens, OutputTokens: each.OutputTokens,
				Problems: endpoint.Map(each.Problems, func(p experimenting.Problem) problemBody { return problemBody(p) }),
			}
			if each.Cost.Set {
				body.Cost = &each.Cost.Value
			}
			bodies = append(bodies, body)
		}
	}
	return map[string]any{"items": in.items, "asOf": wire.Time(in.dataset.LastWrite), "experiments": bodies}, nil
}

// experiments is what somebody wants to run.
type experiments struct {
	dataset     domain.Dataset // as of LastWrite
	items       int
	name        string // "" for one that is made up
	prompts     []askedPrompt
	models      []domain.DefaultModel
	common      experimenting.Plan // without messages
	requestedAt time.Time
}

// askedPrompt is a version of a prompt, or, without a name, messages that are none.
type askedPrompt struct {
	ref      domain.PromptReference
	messages []domain.PromptMessage
}

func (in *experiments) plan(prompt int) experimenting.Plan {
	plan := in.common
	plan.Messages = in.prompts[prompt].messages
	return plan
}

// nameOf returns the name of an experiment. The names of several differ in what they are made of.
func (in *experiments) nameOf(prompt, model int) string {
	if in.name != "" && len(in.prompts)*len(in.models) == 1 {
		return in.name
	}
	made := in.models[model].Model
	for n, other := range in.models {
		if n != model && other.Model == made {
			made += " (" + in.models[model].Provider + ")"
			break
		}
	}
	if ref := in.prompts[prompt].ref; ref.Name != "" {
		made = fmt.Sprintf("%s v%d, %s", ref.Name, ref.Version, made)
	}
	if in.name != "" {
		return in.name + ": " + made
	}
	return made + " - " + in.requestedAt.UTC().Format("2006-01-02T15:04:05.000Z")
}

func (in *experiments) runs() ([]domain.ExperimentRun, error) {
	var runs []domain.ExperimentRun
	for n := range in.prompts {
		plan, err := json.Marshal(in.plan(n))
		if err != nil {
			return nil, err
		}
		for m, model := range in.models {
			runs = append(runs, domain.ExperimentRun{
				DatasetID: in.dataset.ID, Name: in.nameOf(n, m), Connection: model.Provider, Model: model.Model, Prompt: in.prompts[n].ref,
				Plan: plan, AsOf: in.dataset.LastWrite, Total: int64(in.items * in.common.Repetitions),
			})
		}
	}
	return runs, nil
}

// resolved returns the messages of a version of a prompt with its references resolved. What is wrong with it is for people.
func (h *Handlers) resolved(ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference) (
	messages []domain.PromptMessage, wrong string, err error,
) {
	find := func(ctx context.Context, ref domain.PromptReference) (domain.Prompt, error) {
		return h.Catalog.Prompt(ctx, scope, ref)
	}
	p, err := find(ctx, ref)
	if err == nil {
		p, _, err = queryPrompts.Resolve(ctx, p, find)
	}
	if unresolvable, ok := errors.AsType[*queryPrompts.Unresolvable](err); ok {
		return nil, unresolvable.Message, nil
	}
	if errors.Is(err, domain.ErrNotFound) {
		return nil, "There is no such version of the prompt", nil
	}
	return experimenting.Messages(&p), "", err
}
