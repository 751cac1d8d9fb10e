package httpapi

import (
	"encoding/json"
	"errors"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/experiments"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// What replaces the operations here: experiments are made by the attributes of spans, and read from them.
const (
	runsSuccessor     = "/api/public/experiments"
	runItemsSuccessor = "/api/public/experiment-items"
	linkSuccessor     = "/api/public/otel/v1/traces"
)

type runBody struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Description *string         `json:"description"`
	Metadata    json.RawMessage `json:"metadata"`
	DatasetID   string          `json:"datasetId"`
	CreatedAt   respond.Time    `json:"createdAt"`
	UpdatedAt   respond.Time    `json:"updatedAt"`
	DatasetName string          `json:"datasetName"`
}

func newRunBody(run *domain.DatasetRun) runBody {
	body := runBody{
		ID: run.ID, Name: run.Name, Description: run.Description, Metadata: run.Metadata, DatasetID: run.DatasetID,
		CreatedAt: respond.Time(run.CreatedAt), UpdatedAt: respond.Time(run.UpdatedAt), DatasetName: run.DatasetName,
	}
	if body.Metadata == nil {
		body.Metadata = json.RawMessage("{}")
	}
	return body
}

type runItemBody struct {
	ID             string       `json:"id"`
	TraceID        string       `json:"traceId"`
	ObservationID  *string      `json:"observationId"`
	DatasetRunID   string       `json:"datasetRunId"`
	DatasetRunName string       `json:"datasetRunName"`
	DatasetItemID  string       `json:"datasetItemId"`
	CreatedAt      respond.Time `json:"createdAt"`
	UpdatedAt      respond.Time `json:"updatedAt"`
}

func newRunItemBody(item *domain.DatasetRunItem) runItemBody {
	return runItemBody{
		ID: item.ID, TraceID: item.TraceID, ObservationID: item.ObservationID, DatasetRunID: item.RunID, DatasetRunName: item.RunName,
		DatasetItemID: item.DatasetItemID, CreatedAt: respond.Time(item.CreatedAt), UpdatedAt: respond.Time(item.CreatedAt),
	}
}

// runs reads the runs of a dataset.
func (a *API) runs(scope domain.ProjectScope, d domain.Dataset) *experiments.Runs {
	return &experiments.Runs{Catalog: a.Catalog, Rows: a.Store.Observations(), Scope: scope, Dataset: d}
}

// listRuns returns a numbered page of the runs of a dataset, newest first.
func (a *API) listRuns(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	d, err := a.datasets.FindDataset(c, scope, c.Path("datasetName"))
	if err != nil {
		return nil, err
	}
	runs, err := a.runs(scope, d).List(c.Context())
	if err != nil {
		return nil, err
	}
	onPage := a.runs(scope, d).Described(c.Context(), endpoint.Cut(runs, page.Offset(), page.Limit))
	return endpoint.Numbered(page, len(runs), endpoint.Bodies(onPage, newRunBody)).Answer(c)
}

// getRun returns a run with all its items, newest first.
func (a *API) getRun(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, run, err := a.findRun(c, scope)
	if err != nil {
		return nil, err
	}
	head, err := endpoint.OpenBody(newRunBody(&run), "datasetRunItems")
	if err != nil {
		return nil, err
	}
	items, err := a.runs(scope, d).Items(c.Context(), run)
	if err != nil {
		return nil, err
	}
	return endpoint.Whole(endpoint.Bodies(endpoint.Each(items), newRunItemBody), func(dst []byte) []byte { return dst }).AnswerWith(c, head)
}

func (a *API) deleteRun(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	_, run, err := a.findRun(c, scope)
	if err != nil {
		return nil, err
	}
	if err := a.Catalog.DeleteDatasetRun(c.Context(), scope, run, c.Actor()); err != nil {
		return nil, runError(err)
	}
	return respond.Message{Message: "Dataset run successfully deleted"}, nil
}

// findRun returns the dataset and the run that a path names.
func (a *API) findRun(c *endpoint.Call, scope domain.ProjectScope) (domain.Dataset, domain.DatasetRun, error) {
	d, err := a.Catalog.Dataset(c.Context(), scope, c.Path("datasetName"))
	if err != nil {
		return d, domain.DatasetRun{}, runError(err)
	}
	run, err := a.runs(scope, d).Find(c.Context(), c.Path("runName"))
	return d, run, runError(err)
}

func runError(err error) error {
	if errors.Is(err, domain.ErrNotFound) {
		return respond.NotFound("Dataset run not found")
	}
	return err
}

// listRunItems returns a numbered page of the items of a run, newest first.
func (a *API) listRunItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	dataset, name := q.RequiredString("datasetId"), q.RequiredString("runName")
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	d := domain.Dataset{ID: dataset}
	run, err := a.runs(scope, d).Find(c.Context(), name)
	if errors.Is(err, domain.ErrNotFound) {
		return nil, respond.NotFound("Dataset run not found for the given project and dataset id")
	}
	if err != nil {
		return nil, err
	}
	items, err := a.runs(scope, d).Items(c.Context(), run)
	if err != nil {
		return nil, err
	}
	return endpoint.Numbered(page, len(items), endpoint.Bodies(endpoint.Each(endpoint.Cut(items, page.Offset(), page.Limit)), newRunItemBody)).Answer(c)
}

// linkRunItem links an item of a dataset with a trace in a run. The run comes to be with its first link.
func (a *API) linkRunItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	link, err := readRunLink(c.Body())
	if err != nil {
		return nil, err
	}
	item, err := a.Catalog.LinkDatasetRunItem(c.Context(), scope, link, c.Actor())
	if errors.Is(err, domain.ErrNotFound) {
		return nil, respond.NotFound("Dataset item not found")
	}
	if err != nil {
		return nil, err
	}
	return newRunItemBody(&item), nil
}

func readRunLink(body decode.Value) (catalog.DatasetRunLink, error) {
	b := body.Object()
	readID := func(v decode.Value) string { return endpoint.ReadName(v, 0) }
	var link catalog.DatasetRunLink
	link.RunName = endpoint.ReadName(b.Field("runName"), 1)
	link.RunDescription = decode.Nullish(b.Field("runDescription"), endpoint.ReadPlainText)
	link.RunMetadata = endpoint.ReadJSON(b.Field("metadata"))
	link.ItemID = b.Field("datasetItemId").Text()
	link.ObservationID = decode.Nullish(b.Field("observationId"), readID)
	if trace := decode.Nullish(b.Field("traceId"), readID); trace != nil {
		link.TraceID = *trace
	}
	link.At = decode.Nullish(b.Field("datasetVersion"), decode.Value.Date)
	link.CreatedAt = decode.Nullish(b.Field("createdAt"), decode.Value.Time)
	b.Strict()
	if err := b.Err(); err != nil {
		return link, err
	}
	if link.TraceID == "" && (link.ObservationID == nil || *link.ObservationID == "") {
		body.Reject(decode.Violation([]any{"observationId", "traceId"}, "observationId or traceId must be provided"))
	}
	return link, b.Err()
}
