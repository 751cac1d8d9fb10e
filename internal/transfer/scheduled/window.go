package scheduled

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
)

// Folders of a project in the bucket.
const (
	observationsFolder = export.ScheduledObservations
	scoresFolder       = export.Scores
	deletionsFolder    = export.Deletions
	manifestsFolder    = export.Manifests
)

// window writes the objects of a run.
type window struct {
	*job
	bucket Bucket
	scope  domain.ProjectScope
	files  []export.ManifestFile
}

// isoTime returns a time as manifests write it.
func isoTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// write writes the files and then the manifest, or nothing if nothing has arrived and nothing was deleted.
func (w *window) write(ctx context.Context) error {
	run := w.run
	arrivals := export.Arrivals{Format: strings.ToLower(run.FileType), Groups: run.FieldGroups, Prices: w.Prices}
	if run.ExportStartDate != nil {
		arrivals.From = domain.MicrosOf(*run.ExportStartDate)
	}
	observations, scores := arrivals, arrivals
	observations.Window = store.Window{After: run.Done.Observations, UpTo: run.Planned.Observations}
	scores.Window = store.Window{After: run.Done.Scores, UpTo: run.Planned.Scores}
	observations.Marked = func(ctx context.Context, after string, limit int) ([]string, error) {
		return w.Catalog.PlannedMarks(ctx, run, after, limit)
	}
	deleted, err := w.Catalog.PlannedDeletions(ctx, run, "", 1)
	if err != nil {
		return err
	}
	marked, err := observations.Marked(ctx, "", 1)
	if err != nil {
		return err
	}
	if len(deleted) == 0 && len(marked) == 0 {
		some, err := w.some(ctx, &observations, &scores)
		if err != nil || !some {
			return err
		}
	}
	if err := w.checkWriter(ctx, w.bucket, &run.BlobStorageIntegration); err != nil {
		return err
	}
	reader := &export.Reader{Catalog: w.Catalog, Store: w.Store, Scope: w.scope}
	table, err := reader.ArrivedObservations(ctx, observations)
	if err != nil {
		return err
	}
	if err := w.table(ctx, observationsFolder, rangeOf(observations.Window), table, &observations.Window); err != nil {
		return err
	}
	if err := w.table(ctx, scoresFolder, rangeOf(scores.Window), reader.ArrivedScores(scores), &scores.Window); err != nil {
		return err
	}
	both := rangeOf(observations.Window) + "_" + rangeOf(scores.Window)
	if len(deleted) > 0 {
		if err := w.table(ctx, deletionsFolder, both, export.DeletedRows(w.deletions), nil); err != nil {
			return err
		}
	}
	return w.manifest(ctx, both)
}

// rangeOf returns a window as used in object names. Numbers are zero-padded, so that names sort like windows.
func rangeOf(w store.Window) string { return fmt.Sprintf("%019d-%019d", w.After+1, w.UpTo) }

// some reports whether anything has arrived.
func (w *window) some(ctx context.Context, observations, scores *export.Arrivals) (bool, error) {
	for _, err := range w.Store.Observations().Scan(ctx, w.scope, store.Query[domain.Observation]{
		Arrived: &observations.Window, From: observations.From, Limit: 1,
	}) {
		return err == nil, err
	}
	for _, err := range w.Store.Scores().Scan(ctx, w.scope, store.Query[domain.Score]{
		Arrived: &scores.Window, From: scores.From, Limit: 1,
	}) {
		return err == nil, err
	}
	return false, nil
}

// key returns the name of an object.
func (w *window) key(folder, within, extension string) string {
	return w.run.Prefix + w.run.ProjectID + "/" + folder + "/" + w.run.PlannedAt.UTC().Format("2006-01-02T15-04-05") + "_" + within +
		"." + extension
}

// manifest writes the manifest.
func (w *window) manifest(ctx context.Context, within string) error {
	at := isoTime(*w.run.PlannedAt)
	m := export.Manifest{
		Version: 1, SchemaVersion: export.ScheduledVersion, ProjectID: w.run.ProjectID, ExportSource: "EVENTS",
		Window: export.ManifestWindow{MaxTimestamp: at}, MaxTimestamp: at, CreatedAt: isoTime(w.Now()), Files: w.files,
	}
	if w.run.LastSyncAt != nil {
		m.Window.MinTimestamp = new(isoTime(*w.run.LastSyncAt))
	}
	for n := range w.files {
		if !slices.Contains(m.Tables, w.files[n].Table) {
			m.Tables = append(m.Tables, w.files[n].Table)
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	key := w.key(manifestsFolder, within, "json")
	if err := w.bucket.Upload(ctx, key, "application/json", bytes.NewReader(text)); err != nil {
		return fmt.Errorf("cannot write %s: %w", key, err)
	}
	return nil
}
