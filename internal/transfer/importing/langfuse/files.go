package langfuse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/netguard"
	"almanac/internal/transfer/importing"
)

// filesOf adds the files that the texts of a row refer to.
func (a *API) filesOf(files []importing.File, link domain.MediumLink, input, output, metadata string) []importing.File {
	for _, field := range []struct{ name, text string }{
		{domain.FieldInput, input}, {domain.FieldOutput, output}, {domain.FieldMetadata, metadata},
	} {
		link.Field = field.name
		files = a.addFiles(files, link, field.text)
	}
	return files
}

// addFiles adds the files that a text refers to, each once.
func (a *API) addFiles(files []importing.File, link domain.MediumLink, text string) []importing.File {
	for _, id := range referredMedia(text) {
		n := slices.IndexFunc(files, func(f importing.File) bool { return f.ID == id })
		if n < 0 {
			n = len(files)
			files = append(files, importing.File{
				ID: id, Open: func(ctx context.Context) (*importing.OpenFile, error) { return a.openFile(ctx, id) },
			})
		}
		if !slices.Contains(files[n].Links, link) {
			files[n].Links = append(files[n].Links, link)
		}
	}
	return files
}

// referredMedia returns the ids of the media that a text refers to anywhere.
func referredMedia(text string) (ids []string) {
	const end = "@@@"
	for {
		at := strings.Index(text, domain.MediaReferenceStart)
		if at < 0 {
			return ids
		}
		inner, rest, closed := strings.Cut(text[at+len(domain.MediaReferenceStart):], end)
		if !closed {
			return ids
		}
		if id, ok := domain.ReferredMedium(domain.MediaReferenceStart + inner + end); ok && !slices.Contains(ids, id) {
			ids = append(ids, strings.Clone(id))
		}
		text = rest
	}
}

// openFile downloads a file from the URL that the source gives. Each attempt requests a new URL, since they expire.
func (a *API) openFile(ctx context.Context, id string) (opened *importing.OpenFile, err error) {
	err = a.client.persist(ctx, func() error {
		var medium struct {
			ContentType   string `json:"contentType"`
			ContentLength int64  `json:"contentLength"`
			URL           string `json:"url"`
		}
		err := a.client.get(ctx, "/api/public/media/"+url.PathEscape(id), nil, &medium)
		if isStatus(err, http.StatusNotFound) {
			return fs.ErrNotExist
		}
		if err != nil {
			return err
		}
		body, err := a.client.download(ctx, medium.URL)
		opened = &importing.OpenFile{ReadCloser: body, ContentType: medium.ContentType, Length: medium.ContentLength}
		return err
	})
	if err != nil {
		return nil, err
	}
	return opened, nil
}

var errStalled = errors.New("the download stalled")

// download is a file being read. It fails if no data arrives for too long.
type download struct {
	io.ReadCloser
	patience time.Duration
	stalled  *time.Timer // runs while waiting for data
	cancel   context.CancelCauseFunc
	cause    func() error
}

// download requests the file at a URL once. Errors do not contain the URL, since it grants access to the file.
func (c *client) download(ctx context.Context, address string) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &download{patience: c.patience, cancel: cancel, cause: func() error { return context.Cause(ctx) }}
	d.stalled = time.AfterFunc(c.patience, func() { cancel(errStalled) })
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		d.end()
		return nil, errors.New("the source returned no valid URL for the file")
	}
	response, err := c.http.Do(request) //nolint:bodyclose // Close does it
	if err != nil {
		err = &tryAgain{cause: fmt.Errorf("its URL cannot be reached: %w", d.explain(err))}
		d.end()
		return nil, err
	}
	d.stalled.Stop()
	d.ReadCloser = response.Body
	switch response.StatusCode {
	case http.StatusOK:
		return d, nil
	case http.StatusNotFound, http.StatusForbidden, http.StatusGone:
		err = fs.ErrNotExist
	default:
		err = refusal(response, "the request for a file", "")
	}
	_ = d.Close()
	return nil, err
}

// Read implements io.Reader.
func (d *download) Read(into []byte) (int, error) {
	d.stalled.Reset(d.patience)
	n, err := d.ReadCloser.Read(into)
	d.stalled.Stop()
	if err != nil && !errors.Is(err, io.EOF) {
		err = d.explain(err)
	}
	return n, err
}

// Close ends the request.
func (d *download) Close() error {
	d.end()
	return d.ReadCloser.Close()
}

func (d *download) end() {
	d.stalled.Stop()
	d.cancel(nil)
}

// explain returns why a request or reading its response failed.
func (d *download) explain(err error) error {
	if cause := d.cause(); errors.Is(cause, errStalled) {
		return cause
	}
	return netguard.WithoutAddress(err)
}
