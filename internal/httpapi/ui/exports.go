package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog/exports"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/transfer/export"
)

// maxDatasetName is the maximum length of a dataset name, in characters.
const maxDatasetName = 500

type exportBody struct {
	ID          string          `json:"id"`
	Table       string          `json:"table"`
	Format      string          `json:"format"`
	Compressed  bool            `json:"compressed"`
	State       string          `json:"state"`
	Rows        int64           `json:"rows"`
	TotalRows   *int64          `json:"totalRows"`
	Bytes       int64           `json:"bytes"`
	Error       *string         `json:"error"`
	CreatedBy   exportActor     `json:"createdBy"`
	CreatedAt   respond.Time    `json:"createdAt"`
	AsOf        *respond.Time   `json:"asOf"`
	FinishedAt  *respond.Time   `json:"finishedAt"`
	ExpiresAt   *respond.Time   `json:"expiresAt"`
	FileName    string          `json:"fileName"`
	DownloadURL *string         `json:"downloadUrl"`
	Request     json.RawMessage `json:"request"`
}

type exportActor struct {
	Type string  `json:"type"`
	ID   *string `json:"id"`
	Name *string `json:"name"`
}

// requestBody is the request for an export, as the client sent it.
type requestBody struct {
	From        *respond.Time   `json:"from"`
	To          *respond.Time   `json:"to"`
	Environment []string        `json:"environment"`
	Filter      json.RawMessage `json:"filter"`
	// ConditionsOn says what the conditions hold for, and is omitted where they hold for each row.
	ConditionsOn string  `json:"conditionsOn,omitempty"`
	Search       *string `json:"search"`
	DatasetName  *string `json:"datasetName"`
}

// exportExpired is the state of an export whose file was removed.
const exportExpired = "expired"

func (h *Handlers) newExportBody(c *endpoint.Call, scope domain.ProjectScope, e *domain.Export, q *export.Request) (exportBody, error) {
	asked, err := respond.Marshal(requestBody{
		timeOrNil(q.From), timeOrNil(q.To), q.Environments, q.Filter, conditionsOn(q), textOrNil(q.Search), textOrNil(q.DatasetName),
	})
	body := exportBody{
		ID: e.ID, Table: e.Table, Format: e.Format, Compressed: q.Compressed, State: e.State, Rows: e.Rows, TotalRows: e.Total,
		Bytes: e.Bytes, Error: textOrNil(e.Error),
		CreatedBy: exportActor{e.Actor.Kind, textOrNil(e.Actor.ID), textOrNil(e.ActorName)}, CreatedAt: respond.Time(e.CreatedAt),
		AsOf: wire.OptionalTime(e.AsOf), FinishedAt: wire.OptionalTime(e.FinishedAt), ExpiresAt: wire.OptionalTime(e.ExpiresAt),
		FileName: export.FileName(e, q), Request: asked,
	}
	switch {
	case e.Available(time.Now()):
		body.DownloadURL = new(h.Media.ExportAddress(c, scope, e))
	case e.State == domain.ExportDone:
		body.State = exportExpired
	}
	return body, err
}

func conditionsOn(q *export.Request) string {
	if q.OnTraces {
		return "traces"
	}
	return q.On
}

// maySee returns an error if the caller may not read the contents of an export. The audit log is for people only.
func maySee(c *endpoint.Call, q *export.Request) error {
	if q.Table == export.AuditLogs && c.Person() == nil {
		return auth.Lacking(domain.AuditRead)
	}
	for _, permission := range q.Needs() {
		if err := c.Require(permission); err != nil {
			return err
		}
	}
	return nil
}

// shownExport returns the body of an export if the caller may see it.
func (h *Handlers) shownExport(c *endpoint.Call, scope domain.ProjectScope, e *domain.Export) (exportBody, error) {
	var q export.Request
	if err := json.Unmarshal(e.Request, &q); err != nil {
		return exportBody{}, fmt.Errorf("cannot read what export %s is of: %w", e.ID, err)
	}
	if err := maySee(c, &q); err != nil {
		return exportBody{}, err
	}
	return h.newExportBody(c, scope, e, &q)
}

// readExport reads the request for an export.
func readExport(c *endpoint.Call) (*export.Request, error) {
	b := c.Body().Object()
	q := &export.Request{Table: b.Field("table").Enum(export.Tables()...), Format: b.Field("format").Enum(export.Formats()...)}
	q.Choice = *readChoice(b)
	q.Search = decode.NullishOr(b.Field("search"), func(v decode.Value) string { return v.TrimmedLen(0, maxSearch) }, "")
	q.DatasetName = decode.NullishOr(b.Field("datasetName"), func(v decode.Value) string { return v.TextLen(1, maxDatasetName) }, "")
	q.Compressed = decode.NullishOr(b.Field("compressed"), decode.Value.Bool, false)
	b.Strict()
	if v := b.Field("compressed"); q.Compressed && q.Format == export.Parquet {
		v.Reject(decode.Violation(v.Path(), "Parquet files are compressed already"))
	}
	// Members that a table does not support are rejected rather than ignored.
	events := q.Table == export.Observations || q.Table == export.Traces || q.Table == export.Sessions || q.Table == export.Users
	for _, rule := range []struct {
		name    string
		allowed bool
	}{
		{"search", events},
		{"conditionsOn", events},
		{"filter", events || q.Table == export.Scores},
		{"environment", events || q.Table == export.Scores},
		{"datasetName", q.Table == export.DatasetItems || q.Table == export.DatasetRunItems},
		{"from", q.Table != export.DatasetItems && q.Table != export.DatasetRunItems},
		{"to", q.Table != export.DatasetItems && q.Table != export.DatasetRunItems},
	} {
		if v := b.Field(rule.name); !rule.allowed && q.Table != "" && v.Kind() != "undefined" && v.Kind() != "null" {
			v.Reject(decode.Violation(v.Path(), "The table "+q.Table+" cannot be selected by "+rule.name))
		}
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	err := q.Check(b.Field("filter").Path()...)
	if errors.Is(err, filter.ErrNoWords) {
		v := b.Field("search")
		v.Reject(decode.Violation(v.Path(), "Type at least one word to search for"))
		return nil, b.Err()
	}
	return q, endpoint.FilterError(err)
}

// CreateExport queues an export.
func (h *Handlers) CreateExport(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := readExport(c)
	if err != nil {
		return nil, err
	}
	if err := maySee(c, q); err != nil {
		return nil, err
	}
	q.Include(c.May)
	raw, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	created, err := h.Catalog.CreateExport(c.Context(), scope, domain.Export{Table: q.Table, Format: q.Format, Request: raw}, c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return nil,
			respond.Conflict(fmt.Sprintf("%d exports of this project are waiting or running already, which is the limit. Wait for one, "+
				"or cancel one.", exports.MaxOpenExports))
	}
	if err != nil {
		return nil, err
	}
	body, err := h.newExportBody(c, scope, &created, q)
	return respond.Status{Code: http.StatusCreated, Body: body}, err
}

// ListExports returns the exports that the caller may see, newest first.
func (h *Handlers) ListExports(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	list, err := h.Catalog.Exports(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	shown := []exportBody{}
	for n := range list {
		body, err := h.shownExport(c, scope, &list[n])
		if _, denied := errors.AsType[*auth.Denied](err); denied {
			continue
		}
		if err != nil {
			return nil, err
		}
		shown = append(shown, body)
	}
	return map[string]any{"data": shown}, nil
}

// export returns the body of the export named by the path.
func (h *Handlers) export(c *endpoint.Call, scope domain.ProjectScope) (exportBody, error) {
	e, err := h.Catalog.Export(c.Context(), scope, c.Path("exportId"))
	if err != nil {
		return exportBody{}, exportError(err)
	}
	return h.shownExport(c, scope, &e)
}

func exportError(err error) error {
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("There is no such export")
	case errors.Is(err, domain.ErrConflict):
		return respond.Conflict("The export is finished")
	}
	return err
}

// GetExport returns an export, with the URL of its file if that is available.
func (h *Handlers) GetExport(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.export(c, scope)
}

// CancelExport cancels an unfinished export.
func (h *Handlers) CancelExport(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if _, err := h.export(c, scope); err != nil {
		return nil, err
	}
	after, err := h.Catalog.CancelExport(c.Context(), scope, c.Path("exportId"), c.Actor())
	if err != nil {
		return nil, exportError(err)
	}
	return h.shownExport(c, scope, &after)
}

// DeleteExport deletes an export and its file.
func (h *Handlers) DeleteExport(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if _, err := h.export(c, scope); err != nil {
		return nil, err
	}
	if err := h.Catalog.DeleteExport(c.Context(), scope, c.Path("exportId"), c.Actor()); err != nil {
		return nil, exportError(err)
	}
	return map[string]string{"message": "Export deleted"}, nil
}
