package events

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/ingest"
	"almanac/internal/ingest/otlp"
)

// ReceiveExport reads the body of an export without decompressing it. Slow clients hold only the memory of what they
// have sent, and no turn.
func (h *Handlers) ReceiveExport(r *http.Request, tenant string) (b endpoint.Body, release func(), err error) {
	b.Export = h.Ingest.NewBody(tenant)
	release = b.Export.Release
	limit := h.Ingest.MaxExport()
	if r.ContentLength > limit {
		return b, release, ingest.Oversized(limit)
	}
	err = b.Export.Read(r.Context(), r.Body, r.ContentLength, limit)
	var refused *ingest.Error
	if err != nil && !errors.As(err, &refused) {
		err = ingest.Refuse("Failed to read request body", err)
	}
	return b, release, err
}

// ExportTraces stores the spans of an export. They are on disk and can be read before a success response is sent.
func (h *Handlers) ExportTraces(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	export, err := h.Ingest.Decompress(c.Context(), c.Export(), c.Header("Content-Encoding"))
	if err != nil {
		return nil, err
	}
	defer export.Release()
	encoding, err := encodingOf(c.Header("Content-Type"))
	if err != nil {
		return nil, err
	}
	result, err := h.Ingest.Traces(c.Context(), scope, ingest.Request{
		Transport: "http", Consumer: c.Consumer(), MayPublish: c.May(domain.TracesPublish),
		Source: ingest.SourceOf(c.PublicKey(), c.Header), Version: ingest.VersionOf(c.Header), Encoding: encoding, Body: export,
	})
	if err != nil {
		return nil, err
	}
	return exportAnswer(encoding, result), nil
}

func encodingOf(contentType string) (ingest.Encoding, error) {
	contentType = strings.ToLower(contentType)
	switch {
	case strings.Contains(contentType, "application/json"):
		return ingest.JSON, nil
	case strings.Contains(contentType, protobufType):
		return ingest.Protobuf, nil
	}
	return 0, ingest.Refuse("Invalid content type", nil)
}

const protobufType = "application/x-protobuf"

// exportAnswer returns the response to an export, in the encoding of the request.
func exportAnswer(encoding ingest.Encoding, result ingest.Result) any {
	partial := result.Message != ""
	switch {
	case encoding == ingest.JSON && partial:
		return json.RawMessage(otlp.AppendPartialSuccessJSON(nil, result.Rejected, result.Message))
	case encoding == ingest.JSON:
		return json.RawMessage("{}")
	case partial:
		return respond.Content{Type: protobufType, Body: otlp.AppendPartialSuccessProtobuf(nil, result.Rejected, result.Message)}
	}
	return respond.Content{Type: protobufType} // an empty message has no bytes
}

// ExportRefusal returns the error for an export that was refused as a whole. Of these statuses, exporters retry only
// 503.
func ExportRefusal(e *ingest.Error) *respond.Error {
	switch e.Kind {
	case ingest.Busy:
		return respond.Busy(e.Message, max(1, int(e.RetryAfter/time.Second)))
	case ingest.TooLarge:
		return &respond.Error{Status: http.StatusRequestEntityTooLarge, Message: e.Message, ErrorOnly: true}
	}
	return &respond.Error{Status: http.StatusBadRequest, Message: e.Message, ErrorOnly: true}
}

// ExportMetrics accepts and discards metrics: exporters are often configured for all signals.
func (h *Handlers) ExportMetrics(*endpoint.Call, domain.ProjectScope) (any, error) { return nil, nil }

// IgnoreBody reads and discards a body, so that the connection can be reused.
func (h *Handlers) IgnoreBody(r *http.Request, _ string) (b endpoint.Body, release func(), err error) {
	_, _ = io.CopyN(io.Discard, r.Body, h.Ingest.MaxExport()) // errors do not matter
	return b, func() {}, nil
}
