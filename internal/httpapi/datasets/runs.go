package datasets

import (
	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/experiments"
)

// The paths that replace the routes in this file: experiments are created from the attributes of spans.
const (
	RunsSuccessor     = "/api/public/experiments"
	RunItemsSuccessor = "/api/public/experiment-items"
	LinkSuccessor     = "/api/public/otel/v1/traces"
)

// runs reads the runs of a dataset.
func (h *Handlers) runs(scope domain.ProjectScope, d domain.Dataset) *experiments.Runs {
	return &experiments.Runs{Catalog: h.Catalog, Rows: h.Store.Observations(), Scope: scope, Dataset: d}
}

// ListRuns returns a numbered page of the runs of a dataset, newest first.
func (h *Handlers) ListRuns(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	d, err := h.findDataset(c, scope, c.Path("datasetName"))
	if err != nil {
		return nil, err
	}
	runs, err := h.runs(scope, d).List(c.Context())
	if err != nil {
		return nil, err
	}
	onPage := h.runs(scope, d).Described(c.Context(), endpoint.Cut(runs, page.Offset(), page.Limit))
	return endpoint.Numbered(page, len(runs), endpoint.Bodies(onPage, wire.FromRun)).Answer(c)
}

// GetRun returns a run with all its items, newest first.
func (h *Handlers) GetRun(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, run, err := h.findRun(c, scope)
	if err != nil {
		return nil, err
	}
	head, err := endpoint.OpenBody(wire.FromRun(&run), "datasetRunItems")
	if err != nil {
		return nil, err
	}
	items, err := h.runs(scope, d).Items(c.Context(), run)
	if err != nil {
		return nil, err
	}
	return endpoint.Whole(endpoint.Bodies(endpoint.Each(items), wire.FromRunItem), func(dst []byte) []byte { return dst }).AnswerWith(c,
		head)
}

// DeleteRun serves DELETE /api/public/datasets/{datasetName}/runs/{runName}.
func (h *Handlers) DeleteRun(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	_, run, err := h.findRun(c, scope)
	if err != nil {
		return nil, err
	}
	err = h.Catalog.DeleteDatasetRun(c.Context(), scope, run, c.Actor())
	return endpoint.Confirm(runError(err), respond.Message{Message: "Dataset run successfully deleted"})
}

// findRun returns the dataset and the run named by the path.
func (h *Handlers) findRun(c *endpoint.Call, scope domain.ProjectScope) (domain.Dataset, domain.DatasetRun, error) {
	d, err := h.Catalog.Dataset(c.Context(), scope, c.Path("datasetName"))
	if err != nil {
		return d, domain.DatasetRun{}, runError(err)
	}
	run, err := h.runs(scope, d).Find(c.Context(), c.Path("runName"))
	return d, run, runError(err)
}

func runError(err error) error {
	return endpoint.NotFoundAs(err, "Dataset run not found")
}

// ListRunItems returns a numbered page of the items of a run, newest first.
func (h *Handlers) ListRunItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	dataset, name := q.RequiredString("datasetId"), q.RequiredString("runName")
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	d := domain.Dataset{ID: dataset}
	run, err := h.runs(scope, d).Find(c.Context(), name)
	if err != nil {
		return nil, endpoint.NotFoundAs(err, "Dataset run not found for the given project and dataset id")
	}
	items, err := h.runs(scope, d).Items(c.Context(), run)
	if err != nil {
		return nil, err
	}
	return endpoint.Numbered(page, len(items), endpoint.Bodies(endpoint.Each(endpoint.Cut(items, page.Offset(), page.Limit)),
		wire.FromRunItem)).Answer(c)
}

// LinkRunItem links a dataset item with a trace in a run. The first link creates the run.
func (h *Handlers) LinkRunItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	link, err := readRunLink(c.Body())
	if err != nil {
		return nil, err
	}
	item, err := h.Catalog.LinkDatasetRunItem(c.Context(), scope, link, c.Actor())
	if err != nil {
		return nil, endpoint.NotFoundAs(err, "Dataset item not found")
	}
	return wire.FromRunItem(&item), nil
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
	decode.Set(&link.TraceID, decode.Nullish(b.Field("traceId"), readID))
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
