package langfuse

import (
	"context"

	"almanac/internal/domain"
	"almanac/internal/transfer/importing"
)

// storedMedium is a media file, whose bytes are in a bucket of the installation.
type storedMedium struct {
	ID             string       `json:"id"`
	ContentType    string       `json:"contentType"`
	BucketPath     string       `json:"bucketPath"`
	OfTraces       []storedLink `json:"ofTraces"`
	OfObservations []storedLink `json:"ofObservations"`
	OfItems        []storedLink `json:"ofItems"`
}

// storedLink links a media file to the object it belongs to.
type storedLink struct {
	TraceID       string `json:"traceId"`
	ObservationID string `json:"observationId"`
	DatasetID     string `json:"datasetId"`
	DatasetItemID string `json:"datasetItemId"`
	Field         string `json:"field"`
}

var mediaRows = relation[storedMedium]{
	table: "media", columns: "id project_id content_type bucket_path", keys: projectKeys,
	query: func(d *Database) string {
		const of = "x.media_id = m.id AND x.project_id = m.project_id"
		return "SELECT m.*, " + aggregated(d, "trace_media", of) + " AS of_traces, " + aggregated(d, "observation_media", of) +
			" AS of_observations, " +
			aggregated(d, "dataset_item_media", of) + " AS of_items FROM media m"
	},
	add: func(d *Database, page *importing.Page, m *storedMedium) {
		if d.options.Media == nil {
			skip(page, "its content is in a bucket of the source: set --source-media-bucket, or import the project through the API as well",
				m.ID)
			return
		}
		file := importing.File{ID: m.ID, Open: func(ctx context.Context) (*importing.OpenFile, error) {
			body, length, err := d.options.Media(ctx, m.BucketPath)
			if err != nil {
				return nil, err
			}
			return &importing.OpenFile{ReadCloser: body, ContentType: m.ContentType, Length: length}, nil
		}}
		for _, links := range [][]storedLink{m.OfTraces, m.OfObservations, m.OfItems} {
			for _, l := range links {
				file.Links = append(file.Links, domain.MediumLink(l))
			}
		}
		page.Files = append(page.Files, file)
	},
}
