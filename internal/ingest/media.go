package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"

	"almanac/internal/domain"
	"almanac/internal/media"
)

// MediaKeeper stores files that were extracted from rows: all of them, or none on error.
type MediaKeeper interface {
	Keep(ctx context.Context, scope domain.ProjectScope, files []media.Extracted) error
}

// maxFiles is the maximum number of files extracted from one export. Further ones stay inline.
const maxFiles = 200

// extraction collects the files extracted from the rows of an export.
type extraction struct {
	files   []media.Extracted
	changed []changedText
}

// changedText is a string that files were extracted from.
type changedText struct {
	text   *string
	before string
}

func (x *extraction) reset() {
	clear(x.files)
	clear(x.changed)
	x.files, x.changed = x.files[:0], x.changed[:0]
}

// take extracts files from a row and returns their total size in bytes.
func (x *extraction) take(row *domain.Observation) (bytes int64) {
	for _, part := range [...]struct {
		text        *string
		observation string
		field       string
	}{
		{&row.Input, row.ID, domain.FieldInput},
		{&row.Output, row.ID, domain.FieldOutput},
		{&row.Metadata, row.ID, domain.FieldMetadata},
		{&row.TraceInput, "", domain.FieldInput},
		{&row.TraceOutput, "", domain.FieldOutput},
		{&row.TraceMetadata, "", domain.FieldMetadata},
	} {
		before := *part.text
		if !media.MayHold(before) {
			continue
		}
		*part.text = media.Extract(before, func(contentType, source string, data []byte) string {
			if len(x.files) == maxFiles {
				return ""
			}
			sum := sha256.Sum256(data)
			hash := base64.StdEncoding.EncodeToString(sum[:])
			x.files = append(x.files, media.Extracted{
				ContentType: contentType, SHA256: hash, Data: data,
				Link: domain.MediumLink{TraceID: row.TraceID, ObservationID: part.observation, Field: part.field},
			})
			bytes += int64(len(data))
			return domain.MediaReference(contentType, domain.MediaID(hash), source)
		})
		if *part.text != before {
			x.changed = append(x.changed, changedText{part.text, before})
		}
	}
	return bytes
}

// keepMedia stores the extracted files. If that fails, they are put back: a row with an inline file is better than no
// row.
func (p *Pipeline) keepMedia(ctx context.Context, scope domain.ProjectScope, x *extraction) {
	if len(x.files) == 0 {
		return
	}
	if err := p.options.Media.Keep(ctx, scope, x.files); err != nil {
		p.complain("cannot store media: leaving them in their spans", err)
		for _, c := range x.changed {
			*c.text = c.before
		}
	}
}
