package media

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/blob"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/media"
)

const (
	// maxStall is how long a transfer may make no progress. As long as it does, it may take much longer than other
	// requests.
	maxStall = time.Minute
	// maxTransfer is the maximum duration of one transfer.
	maxTransfer = time.Hour
)

// LeaveBody leaves the body of a request to its handler.
func LeaveBody(*http.Request, string) (b endpoint.Body, release func(), err error) {
	return endpoint.Body{}, func() {}, nil
}

// mediaLink checks the signed URL of a request, which is its only credential.
func (h *Handlers) mediaLink(c *endpoint.Call) (domain.ProjectScope, auth.MediaLink, error) {
	return h.checkLink(c, c.Path("mediaId"))
}

// checkLink checks a URL that was signed for an id.
func (h *Handlers) checkLink(c *endpoint.Call, id string) (domain.ProjectScope, auth.MediaLink, error) {
	scope, link, err := h.Media.Links.Check(c.Request().Method, id, c.Parameters(), time.Now())
	switch {
	case errors.Is(err, auth.ErrLinkExpired):
		err = &respond.Error{Status: http.StatusForbidden, Name: "ForbiddenError", Message: "This address has expired. Ask for a new one."}
	case err != nil:
		err = &respond.Error{Status: http.StatusForbidden, Name: "ForbiddenError", Message: "This address was not signed by this server."}
	}
	return scope, link, err
}

// UploadMedium receives the content of a medium. It is streamed to the blob store, and holds neither memory nor a turn.
func (h *Handlers) UploadMedium(c *endpoint.Call) (any, error) {
	scope, link, err := h.mediaLink(c)
	if err == nil {
		err = checkUpload(c.Request(), link)
	}
	if err == nil {
		err = h.require(c.Context(), scope, link.By, domain.TracesWrite|domain.DatasetsWrite)
	}
	if err != nil {
		return nil, err
	}
	if _, err := h.Catalog.Medium(c.Context(), scope, link.MediaID); errors.Is(err, domain.ErrNotFound) {
		return nil, respond.NotFound("Media asset not found")
	} else if err != nil {
		return nil, err
	}
	m := domain.Medium{ID: link.MediaID, SHA256: link.SHA256, ContentType: link.ContentType, ContentLength: link.ContentLength}
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) error {
		timeout := newStallTimeout(w)
		sender := &stallReader{stallTimeout: timeout, r: r.Body}
		err := h.Media.Library.Receive(r.Context(), scope, m, sender)
		timeout.extend(timeout.control.SetWriteDeadline) // the original deadline may have passed
		if err = uploadError(err, sender.err); err != nil {
			w.Header().Set("Connection", "close") // the rest of the body may be unread
			return err
		}
		respond.JSON(w, r, http.StatusOK, []byte("{}"))
		return nil
	}), nil
}

// checkUpload rejects an upload whose headers do not match what was announced.
func checkUpload(r *http.Request, link auth.MediaLink) error {
	sent, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	sum := r.Header.Get("X-Amz-Checksum-Sha256")
	switch {
	case err != nil || sent != link.ContentType:
		return respond.InvalidRequest("The content type must be " + link.ContentType + ", as announced")
	case r.ContentLength >= 0 && r.ContentLength != link.ContentLength:
		return respond.InvalidRequest(fmt.Sprintf("The body must have %d bytes, as announced", link.ContentLength))
	case sum != "" && sum != link.SHA256:
		return respond.InvalidRequest("The header x-amz-checksum-sha256 must be " + link.SHA256 + ", as announced")
	}
	return nil
}

// uploadError returns the client's error for a failed upload; sending is the error from reading the client's body.
func uploadError(err, sending error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, media.ErrContent):
		return respond.InvalidRequest("The body is not what was announced: it must have the announced length and SHA-256 hash")
	case sending != nil:
		return respond.InvalidRequest("The body ended early")
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("Media asset not found") // deleted in the meantime
	case errors.Is(err, domain.ErrConflict): // it took hours, or the clock jumped: the blob has been garbage-collected
		return respond.Busy("The upload took too long: send it again.", endpoint.RetrySeconds)
	case errors.Is(err, blob.ErrNoSpace):
		return respond.Busy("The server has too little disk space left to keep media.", endpoint.RetrySeconds)
	}
	return err
}

// DownloadMedium sends the content of a medium, or the requested ranges of it.
func (h *Handlers) DownloadMedium(c *endpoint.Call) (any, error) {
	scope, link, err := h.mediaLink(c)
	if err != nil {
		return nil, err
	}
	if err := h.mayDownload(c, scope, link.By, link.MediaID); err != nil {
		return nil, err
	}
	m, err := h.storedMedium(c, scope, link.MediaID)
	if err != nil {
		return nil, err
	}
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) error {
		content, err := h.Media.Library.Open(r.Context(), &m)
		if errors.Is(err, blob.ErrNotFound) {
			// Deleted or uploaded again in the meantime; otherwise the file is lost.
			if now, again := h.storedMedium(c, scope, m.ID); again != nil || now.BlobKey != m.BlobKey {
				err = respond.NotFound("Media asset not found")
			}
		}
		if err != nil {
			return err
		}
		defer content.Close() //nolint:errcheck // only read
		header := w.Header()
		respond.SetAttachment(header, m.ContentType, m.ID+"."+domain.MediaFileExtension(m.ContentType))
		header.Set("Cache-Control", "private, max-age=3600, immutable")
		header.Set("Etag", `"`+m.ID+`"`)
		http.ServeContent(&stallWriter{w, newStallTimeout(w)}, r, "", time.Time{}, content)
		if err := content.Damage(); err != nil { // the client notices as well: the end is missing
			h.Log.Error("media file is corrupt: restore it from a backup", "request", c.RequestID(), "error", err)
		}
		return nil
	}), nil
}

// stallTimeout extends the deadlines of a connection as long as a transfer makes progress, up to maxTransfer.
type stallTimeout struct {
	control *http.ResponseController
	end     time.Time
}

func newStallTimeout(w http.ResponseWriter) *stallTimeout {
	return &stallTimeout{http.NewResponseController(w), time.Now().Add(maxTransfer)}
}

func (p *stallTimeout) extend(set func(time.Time) error) {
	until := time.Now().Add(maxStall)
	if until.After(p.end) {
		until = p.end
	}
	_ = set(until) // without a connection, as in tests, there is no deadline
}

type stallReader struct {
	*stallTimeout
	r   io.Reader
	err error // from reading the client's body
}

func (p *stallReader) Read(into []byte) (int, error) {
	p.extend(p.control.SetReadDeadline)
	n, err := p.r.Read(into)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		p.err = err
	}
	return n, err
}

type stallWriter struct {
	http.ResponseWriter
	*stallTimeout
}

func (p *stallWriter) Write(piece []byte) (int, error) {
	p.extend(p.control.SetWriteDeadline)
	return p.ResponseWriter.Write(piece)
}
