package langfuse

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/importing"
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
			files = append(files, importing.File{ID: id, Open: func(ctx context.Context) (*importing.OpenFile, error) { return a.openFile(ctx, id) }})
		}
		if !slices.Contains(files[n].Links, link) {
			files[n].Links = append(files[n].Links, link)
		}
	}
	return files
}

// referredMedia returns the ids of the media that a text refers to, wherever in it.
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

// openFile fetches a file from where the source says that it is.
func (a *API) openFile(ctx context.Context, id string) (*importing.OpenFile, error) {
	var medium struct {
		ContentType   string `json:"contentType"`
		ContentLength int64  `json:"contentLength"`
		URL           string `json:"url"`
	}
	err := a.client.get(ctx, "/api/public/media/"+url.PathEscape(id), nil, &medium)
	if isStatus(err, http.StatusNotFound) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, medium.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("the source gave no address: %w", err)
	}
	response, err := a.client.http.Do(request)
	if err != nil {
		return nil, err
	}
	switch response.StatusCode {
	case http.StatusOK:
		return &importing.OpenFile{ReadCloser: response.Body, ContentType: medium.ContentType, Length: medium.ContentLength}, nil
	case http.StatusNotFound, http.StatusForbidden, http.StatusGone:
		err = fs.ErrNotExist
	default:
		err = &statusError{response.StatusCode, "the request for a file", ""}
	}
	_ = response.Body.Close()
	return nil, err
}
