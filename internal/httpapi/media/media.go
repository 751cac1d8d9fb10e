package media

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"almanac/internal/access/annotators"
	"almanac/internal/access/auth"
	"almanac/internal/catalog/media"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

const (
	// maxMediaOwner is the maximum length, in characters, of the ids of objects to which media belong.
	maxMediaOwner = 255
	// maxUploadError is the length, in bytes, to which a client's upload error is truncated.
	maxUploadError = 10_000
)

// AnnounceMedium returns the URL to which to upload the content of a medium, or none if the server already has it.
func (h *Handlers) AnnounceMedium(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	m, link, err := readMedium(c.Body())
	if err != nil {
		return nil, err
	}
	permission := domain.TracesWrite
	if link.DatasetID != "" {
		permission = domain.DatasetsWrite
	}
	if err := c.Require(permission); err != nil {
		return nil, err
	}
	if m.ContentLength > h.Media.MaxBytes {
		return nil, respond.InvalidRequest(fmt.Sprintf("File size must be less than %d bytes", h.Media.MaxBytes))
	}
	found, err := h.Catalog.AnnounceMedium(c.Context(), scope, m, link)
	if errors.Is(err, media.ErrOtherHash) {
		return nil, respond.Conflict("Media asset " + m.ID + " has another hash: the ids of both begin alike")
	}
	if err != nil {
		return nil, err
	}
	answer := struct {
		MediaID   string  `json:"mediaId"`
		UploadURL *string `json:"uploadUrl"`
	}{MediaID: m.ID}
	if !found.Stored() || found.ContentType != m.ContentType {
		answer.UploadURL = new(h.Media.Address(c, scope, auth.MediaLink{
			Method: http.MethodPut, MediaID: m.ID, Expires: endpoint.LinkExpiry(),
			ContentType: m.ContentType, ContentLength: m.ContentLength, SHA256: m.SHA256,
		}))
	}
	return respond.Status{Code: http.StatusCreated, Body: answer}, nil
}

// sha256Form matches a SHA-256 hash in base64.
var sha256Form = regexp.MustCompile(`^[A-Za-z0-9+/=]{44}$`)

func readMedium(body decode.Value) (m domain.Medium, link domain.MediumLink, err error) {
	b := body.Object()
	m.ContentType = b.Field("contentType").Enum(domain.MediaTypes()...)
	m.ContentLength = int64(readPositive(b.Field("contentLength")))
	hash := b.Field("sha256Hash")
	if m.SHA256 = hash.Text(); hash.Kind() == "string" && !sha256Form.MatchString(m.SHA256) {
		hash.Reject(decode.NotMatching(hash.Path(), "/"+sha256Form.String()+"/", "Must be a 44 character base64 encoded SHA-256 hash"))
	}
	m.ID = domain.MediaID(m.SHA256)
	readID := func(v decode.Value) string { return v.TextLen(1, maxMediaOwner) }
	given := func(name string) bool { kind := b.Field(name).Kind(); return kind != "undefined" && kind != "null" }
	fields := []string{domain.FieldInput, domain.FieldOutput, domain.FieldMetadata}
	if given("datasetId") || given("datasetItemId") {
		for _, other := range []string{"traceId", "observationId"} {
			if given(other) {
				b.Field(other).Reject(decode.Violation(b.Field(other).Path(), other+" cannot be combined with datasetId and datasetItemId"))
			}
		}
		link.DatasetID, link.DatasetItemID = readID(b.Field("datasetId")), readID(b.Field("datasetItemId"))
		fields = []string{domain.FieldInput, domain.FieldExpectedOutput, domain.FieldMetadata}
	} else {
		link.TraceID = readID(b.Field("traceId"))
		if id := decode.Nullish(b.Field("observationId"), readID); id != nil {
			link.ObservationID = *id
		}
	}
	link.Field = b.Field("field").Enum(fields...)
	return m, link, b.Err()
}

func readPositive(v decode.Value) int {
	n := v.Int()
	if f, err := strconv.ParseFloat(string(v.Raw()), 64); err == nil && f <= 0 {
		v.Reject(decode.TooSmall(v.Path(), 0, true))
	}
	return n
}

// ReportUpload records what a client reports about its upload. Whether the content is stored does not depend on it: a
// report of success without content is refused.
func (h *Handlers) ReportUpload(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	upload, err := readUpload(c.Body())
	if err != nil {
		return nil, err
	}
	id := c.Path("mediaId")
	err = h.Catalog.ReportUpload(c.Context(), scope, id, upload)
	if errors.Is(err, domain.ErrConflict) {
		return nil, respond.Conflict("The content of media asset " + id + " has not arrived. Upload it again.")
	}
	return endpoint.Confirm(endpoint.NotFoundAs(err, "Media asset "+id+" not found in project "+scope.ProjectID()),
		respond.Message{Message: "OK"})
}

func readUpload(body decode.Value) (media.MediumUpload, error) {
	b := body.Object()
	u := media.MediumUpload{At: b.Field("uploadedAt").Date(), Status: readPositive(b.Field("uploadHttpStatus"))}
	if text := decode.Nullish(b.Field("uploadHttpError"), decode.Value.Text); text != nil && u.Status != http.StatusOK {
		u.Error = (*text)[:min(maxUploadError, len(*text))]
	}
	if took := decode.Nullish(b.Field("uploadTimeMs"), decode.Value.Number); took != nil {
		u.Millis = new(int64(*took))
	}
	return u, b.Err()
}

// mediumBody is a medium as clients see it.
type mediumBody struct {
	MediaID       string       `json:"mediaId"`
	ContentType   string       `json:"contentType"`
	ContentLength int64        `json:"contentLength"`
	UploadedAt    respond.Time `json:"uploadedAt"`
	URL           string       `json:"url"`
	URLExpiry     respond.Time `json:"urlExpiry"`
}

// ReadMedium reads the id of a medium from the path.
func ReadMedium(c *endpoint.Call) (string, error) { return c.Path("mediaId"), nil }

// GetMedium returns a medium with a temporary URL of its content.
func (h *Handlers) GetMedium(c *endpoint.Call, scope domain.ProjectScope, id string) (any, error) {
	m, err := h.storedMedium(c, scope, id)
	if err != nil {
		return nil, err
	}
	uploaded := m.StoredAt
	if m.UploadedAt != nil && media.UploadSucceeded(m.UploadStatus) {
		uploaded = m.UploadedAt
	}
	expiry := endpoint.LinkExpiry()
	return mediumBody{
		MediaID: m.ID, ContentType: m.ContentType, ContentLength: m.ContentLength, UploadedAt: respond.Time(*uploaded),
		URL:       h.Media.Address(c, scope, auth.MediaLink{Method: http.MethodGet, MediaID: m.ID, Expires: expiry}),
		URLExpiry: respond.Time(expiry),
	}, nil
}

// MediumQueued reports whether one of the medium's traces is in the queues.
func (h *Handlers) MediumQueued(ctx context.Context, queues *annotators.Queues, id string) (bool, error) {
	const most = 100 // traces checked
	traces, err := h.Catalog.TracesOfMedium(ctx, queues.Scope, id, most)
	if err != nil {
		return false, err
	}
	for _, trace := range traces {
		if ok, err := queues.HaveTraces(ctx, trace); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// storedMedium returns a medium, or an error if its content is not stored.
func (h *Handlers) storedMedium(c *endpoint.Call, scope domain.ProjectScope, id string) (domain.Medium, error) {
	m, err := h.Catalog.Medium(c.Context(), scope, id)
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return m, respond.NotFound("Media asset not found")
	case err != nil || m.Stored():
		return m, err
	case m.UploadStatus != 0 && !media.UploadSucceeded(m.UploadStatus):
		return m, respond.NotFound(fmt.Sprintf("Media upload failed with status %d: \n %s", m.UploadStatus, m.UploadError))
	}
	return m, respond.NotFound("Media not yet uploaded")
}
