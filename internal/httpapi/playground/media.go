package playground

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"almanac/internal/blob"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/llm"
)

// maxMediaBytes is the maximum size of all files of a run together. Providers accept little more.
const maxMediaBytes = 20 << 20

// findMedia finds the files of a run and returns their size in bytes.
func (h *Handlers) findMedia(ctx context.Context, scope domain.ProjectScope, in *run) (bytes int64, err error) {
	for n := range in.media {
		part := &in.media[n]
		part.medium, err = h.Catalog.Medium(ctx, scope, part.id)
		if errors.Is(err, domain.ErrNotFound) || err == nil && !part.medium.Stored() {
			return 0, respond.InvalidRequest(fmt.Sprintf("The project has no file with the id %.100q", part.id))
		}
		if err != nil {
			return 0, err
		}
		bytes += part.medium.ContentLength
	}
	if bytes > maxMediaBytes {
		return 0, respond.InvalidRequest(fmt.Sprintf("The files have %d bytes together; a run takes at most %d", bytes, maxMediaBytes))
	}
	return bytes, nil
}

// readMedia puts the contents of files into the messages.
func (h *Handlers) readMedia(ctx context.Context, in *run) error {
	for _, part := range in.media {
		data, err := h.content(ctx, part.medium)
		if err != nil {
			return err
		}
		p := &in.request.Messages[part.message].Parts[part.part]
		p.Data, p.MediaType = data, part.medium.ContentType
		if p.Kind != kindOf(p.MediaType) && p.Kind != llm.FilePart {
			return respond.InvalidRequest(fmt.Sprintf("A file of the type %q is no %s", p.MediaType, p.Kind))
		}
	}
	return nil
}

func (h *Handlers) content(ctx context.Context, m domain.Medium) ([]byte, error) {
	file, err := h.Media.Library.Blobs.Open(ctx, m.BlobKey, m.ContentLength)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, respond.InvalidRequest(fmt.Sprintf("The file %q was deleted", m.ID))
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open the medium %s: %w", m.ID, err)
	}
	defer file.Close() //nolint:errcheck // only read
	data := make([]byte, m.ContentLength)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, fmt.Errorf("cannot read the medium %s: %w", m.ID, err)
	}
	return data, nil
}

func kindOf(mediaType string) llm.PartKind {
	switch {
	case strings.HasPrefix(mediaType, "image/"):
		return llm.ImagePart
	case strings.HasPrefix(mediaType, "audio/"):
		return llm.AudioPart
	}
	return llm.FilePart
}
