package scheduled

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"almanac/internal/domain"
	"almanac/internal/export"
	"almanac/internal/store"
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
	*Runner
	*job
	bucket Bucket
	scope  domain.ProjectScope
	files  []export.ManifestFile
	rows   int64 // rows of the current file
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
	reader := &export.Reader{Catalog: w.Catalog, Store: w.Store, Scope: w.scope}
	table, err := reader.ArrivedObservations(ctx, observations)
	if err != nil {
		return err
	}
	if err := w.file(ctx, observationsFolder, rangeOf(observations.Window), table, &observations.Window); err != nil {
		return err
	}
	if err := w.file(ctx, scoresFolder, rangeOf(scores.Window), reader.ArrivedScores(scores), &scores.Window); err != nil {
		return err
	}
	both := rangeOf(observations.Window) + "_" + rangeOf(scores.Window)
	if len(deleted) > 0 {
		if err := w.file(ctx, deletionsFolder, both, export.DeletedRows(w.deletions), nil); err != nil {
			return err
		}
	}
	return w.manifest(ctx, both)
}

// rangeOf returns a window as used in object names. Numbers are zero-padded, so that names sort like windows.
func rangeOf(w store.Window) string { return fmt.Sprintf("%019d-%019d", w.After+1, w.UpTo) }

// some reports whether anything has arrived.
func (w *window) some(ctx context.Context, observations, scores *export.Arrivals) (bool, error) {
	for _, err := range w.Store.Observations().Scan(ctx, w.scope, store.Query[domain.Observation]{Arrived: &observations.Window, From: observations.From, Limit: 1}) {
		return err == nil, err
	}
	for _, err := range w.Store.Scores().Scan(ctx, w.scope, store.Query[domain.Score]{Arrived: &scores.Window, From: scores.From, Limit: 1}) {
		return err == nil, err
	}
	return false, nil
}

// key returns the name of an object.
func (w *window) key(folder, within, extension string) string {
	return w.run.Prefix + w.run.ProjectID + "/" + folder + "/" + w.run.PlannedAt.UTC().Format("2006-01-02T15-04-05") + "_" + within + "." + extension
}

// measured counts and hashes what is written.
type measured struct {
	to    io.Writer
	hash  hash.Hash
	bytes int64
	job   *job
}

func (m *measured) Write(b []byte) (int, error) {
	n, err := m.to.Write(b)
	m.hash.Write(b[:n])
	m.bytes += int64(n)
	m.job.bytes.Add(int64(n))
	return n, err
}

// file writes a table into an object.
func (w *window) file(ctx context.Context, folder, within string, table *export.Table, arrived *store.Window) error {
	format := strings.ToLower(w.run.FileType)
	f := export.ManifestFile{
		Table: folder, FileType: w.run.FileType, Format: format, ContentType: export.ContentType(format),
		Compressed: w.run.Compressed && format != export.Parquet, // Parquet is compressed already
	}
	extension := format
	switch {
	case f.Compressed:
		extension, f.Format, f.ContentType = format+".gz", format+"-gzip", "application/gzip"
	case format != export.Parquet:
		f.Format = format + "-raw"
	}
	if arrived != nil {
		f.After, f.UpTo = &arrived.After, &arrived.UpTo
	}
	f.Key = w.key(folder, within, extension)

	sending, stop := context.WithCancel(ctx)
	defer stop()
	read, write := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		err := w.bucket.Upload(sending, f.Key, f.ContentType, read)
		if err == nil {
			_, err = io.Copy(io.Discard, read) // nothing should be left
		}
		_ = read.CloseWithError(fmt.Errorf("the upload ended: %w", orEOF(err)))
		sent <- err
	}()
	m := &measured{to: write, hash: sha256.New(), job: w.job}
	err := w.rowsTo(ctx, m, table, f.Compressed, format)
	f.RowCount = w.rows
	_ = write.CloseWithError(err) // nil means EOF
	if failed := <-sent; failed != nil && (err == nil || ctx.Err() == nil && isPipe(err)) {
		return fmt.Errorf("cannot write %s: %w", f.Key, failed)
	}
	if err != nil {
		return err
	}
	f.SizeBytes, f.SHA256 = m.bytes, hex.EncodeToString(m.hash.Sum(nil))
	w.files = append(w.files, f)
	return nil
}

// rowsTo writes the rows of a table.
func (w *window) rowsTo(ctx context.Context, to io.Writer, table *export.Table, compressed bool, format string) error {
	buffered := bufio.NewWriterSize(to, 64<<10)
	into := io.Writer(buffered)
	var packer *gzip.Writer
	if compressed {
		packer = gzip.NewWriter(buffered)
		into = packer
	}
	rows, err := export.NewWriter(format, into, table.Columns, export.Scheduled)
	if err != nil {
		return err
	}
	before := w.job.rows.Load()
	w.rows = 0
	if err := table.Write(ctx, rows, func(count int64) {
		w.rows = count
		w.job.rows.Store(before + count)
	}); err != nil {
		return err
	}
	if packer != nil {
		if err := packer.Close(); err != nil {
			return err
		}
	}
	return buffered.Flush()
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
		m.Tables = append(m.Tables, w.files[n].Table)
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
