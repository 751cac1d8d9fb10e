package media

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"almanac/internal/blob"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/transfer/export"
)

// DownloadExport sends the file of an export, or the requested ranges of it. The signed URL is the only credential.
func (h *Handlers) DownloadExport(c *endpoint.Call) (any, error) {
	scope, link, err := h.checkLink(c, endpoint.ExportLink(c.Path("exportId")))
	if err != nil {
		return nil, err
	}
	gone := respond.NotFound("This export does not exist any more")
	e, err := h.Catalog.Export(c.Context(), scope, c.Path("exportId"))
	if errors.Is(err, domain.ErrNotFound) || err == nil && !e.Available(time.Now()) {
		return nil, gone
	}
	if err != nil {
		return nil, err
	}
	request, err := h.mayDownloadExport(c.Context(), scope, link.By, &e)
	if err != nil {
		return nil, err
	}
	parts, err := h.Catalog.ExportParts(c.Context(), scope, e.ID)
	if err != nil {
		return nil, err
	}
	origin := domain.OriginOf(c.Context())
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) error {
		file := export.NewFile(r.Context(), h.Media.Library.Blobs, parts)
		defer file.Close() //nolint:errcheck // only read
		if file.Size() != e.Bytes {
			return gone // deleted in the meantime
		}
		if file.Size() > 0 { // check that the first part exists before sending anything
			if _, err := file.Read(make([]byte, 1)); errors.Is(err, blob.ErrNotFound) {
				return gone
			} else if err != nil {
				return err
			}
		}
		// A resumed download is not recorded again.
		if at := r.Header.Get("Range"); at == "" || strings.HasPrefix(at, "bytes=0-") {
			if err := h.Catalog.ExportDownloaded(domain.WithOrigin(r.Context(), origin), scope, e.ID, holderOf(link.By)); err != nil {
				return err
			}
		}
		header := w.Header()
		respond.SetAttachment(header, export.FileType(request), export.FileName(&e, request))
		header.Set("Cache-Control", "private, no-store")
		header.Set("Etag", `"`+e.ID+`"`)
		watched := &watchedFile{File: file}
		http.ServeContent(&stallWriter{w, newStallTimeout(w)}, r, "", time.Time{}, watched)
		if watched.err != nil { // the client notices as well: the end is missing
			h.Log.Error("cannot read the file of an export", "request", c.RequestID(), "export", e.ID, "error", watched.err)
		}
		return nil
	}), nil
}

// watchedFile records the last read error.
type watchedFile struct {
	*export.File
	err error
}

func (f *watchedFile) Read(into []byte) (int, error) {
	n, err := f.File.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}
