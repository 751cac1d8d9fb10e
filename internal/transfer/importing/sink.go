package importing

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"almanac/internal/catalog"
	catalogMedia "almanac/internal/catalog/media"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/media"
	"almanac/internal/store"
)

// Rows are the operations of store.Table that an import uses.
type Rows[R any] interface {
	Append(ctx context.Context, scope domain.ProjectScope, rows []R) error
	Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*R, error]
	Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error)
}

// Events are the tables of the event store.
type Events struct {
	Observations Rows[domain.Observation]
	Scores       Rows[domain.Score]
}

// EventsOf returns the tables of a store.
func EventsOf(s store.Store) Events { return Events{s.Observations(), s.Scores()} }

// Target is the destination of records.
type Target struct {
	Catalog *catalog.Catalog
	Events  Events
	Media   *media.Library
	Actor   domain.Actor
	// Project returns the project that receives the records of a source project. It must exist by then.
	Project func(sourceID string) (domain.ProjectScope, error)
}

// keep stores a page and then, once that is durable, the progress of the import. It adds the outcome to the report.
func (t *Target) keep(ctx context.Context, page *Page, report *Report, state func() (catalog.ImportState, error)) error {
	report.note(page.Note)
	for _, s := range page.Skipped {
		report.skip(s.Reason, s.Example, max(1, s.Count))
	}
	if len(page.Records) > 0 && page.ProjectID == "" {
		return t.Catalog.ImportInstance(ctx, page.Records, counted(page.Records, report, state), t.Actor)
	}
	if page.ProjectID == "" {
		return t.save(ctx, state)
	}
	scope, err := t.Project(page.ProjectID)
	if err != nil {
		return err
	}
	if err := t.keepRows(ctx, scope, page, report); err != nil {
		return err
	}
	for _, file := range page.Files {
		if err := t.keepFile(ctx, scope, file, report); err != nil {
			return err
		}
	}
	if len(page.Records) == 0 {
		return t.save(ctx, state)
	}
	if err := t.Catalog.Import(ctx, scope, page.Records, counted(page.Records, report, state)); err != nil {
		return fmt.Errorf("cannot store %d records of %s: %w", len(page.Records), report.Table, err)
	}
	return nil
}

func (t *Target) save(ctx context.Context, state func() (catalog.ImportState, error)) error {
	after, err := state()
	if err != nil {
		return err
	}
	return t.Catalog.SaveImport(ctx, after)
}

// counted adds the outcomes to the report before it returns the state.
func counted(
	records []any, report *Report, state func() (catalog.ImportState, error),
) func([]tables.ImportOutcome) (catalog.ImportState, error) {
	return func(outcomes []tables.ImportOutcome) (catalog.ImportState, error) {
		for n, outcome := range outcomes {
			switch {
			case outcome.Skipped != "":
				report.skip(outcome.Skipped, nameOf(records[n]), 1)
				continue
			case outcome.Unchanged:
				report.Unchanged++
			default:
				report.Imported++
			}
			report.Counted++
			if err := report.Digest.add(withoutSecrets(records[n])); err != nil {
				return catalog.ImportState{}, err
			}
		}
		return state()
	}
}

// withoutSecrets returns a record without its sealed secrets, which differ each time they are sealed.
func withoutSecrets(record any) any {
	switch t := record.(type) {
	case domain.StoredKey:
		return t.APIKey
	case domain.LLMConnection:
		t.SealedSecret, t.SealedHeaders = "", nil
		return t
	case domain.BlobStorageIntegration:
		t.SealedSecret = nil
		return t
	}
	return record
}

// keepRows stores rows in the event store. They replace existing ones, so importing them again changes nothing.
func (t *Target) keepRows(ctx context.Context, scope domain.ProjectScope, page *Page, report *Report) error {
	observations, scores := t.Events.Observations, t.Events.Scores
	if err := forget(ctx, observations, scope, page.GoneObservations, func(o *domain.Observation) domain.RowKey {
		return domain.RowKey{TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID)}
	}, report); err != nil {
		return err
	}
	if err := forget(ctx, scores, scope, page.GoneScores, func(s *domain.Score) domain.RowKey {
		return domain.RowKey{ID: strings.Clone(s.ID)}
	}, report); err != nil {
		return err
	}
	if page.Adopt {
		if err := adopt(ctx, observations, scope, page.Observations); err != nil {
			return err
		}
	}
	if page.InheritTrace {
		if err := inheritTraces(ctx, observations, scope, page.Observations); err != nil {
			return err
		}
	}
	if err := write(ctx, observations, scope, page.Observations, "observations"); err != nil {
		return err
	}
	if err := write(ctx, scores, scope, page.Scores, "scores"); err != nil {
		return err
	}
	if err := t.keepTraces(ctx, scope, page.Traces, report); err != nil {
		return err
	}
	if err := joinExperiments(ctx, observations, scope, page.Experiments, report); err != nil {
		return err
	}
	for n := range page.Observations {
		if err := report.Digest.add(&page.Observations[n]); err != nil {
			return err
		}
	}
	for n := range page.Scores {
		if err := report.Digest.add(&page.Scores[n]); err != nil {
			return err
		}
	}
	rows := int64(len(page.Observations) + len(page.Scores))
	report.Counted, report.Imported = report.Counted+rows, report.Imported+rows
	return nil
}

// write writes rows, if any, and retries while the store is busy.
func write[R any](ctx context.Context, table Rows[R], scope domain.ProjectScope, rows []R, what string) error {
	if len(rows) == 0 {
		return nil
	}
	const longest = 5 * time.Second
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, longest) {
		err := table.Append(ctx, scope, rows)
		if err == nil {
			return nil
		}
		err = fmt.Errorf("cannot store %d %s: %w", len(rows), what, err)
		if !errors.Is(err, store.ErrBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// keepFile fetches a media file, unless it is already stored, and links it.
func (t *Target) keepFile(ctx context.Context, scope domain.ProjectScope, f File, report *Report) error {
	stored, err := t.Catalog.StoredMedia(ctx, scope, []string{f.ID})
	if err != nil {
		return err
	}
	m, there := stored[f.ID]
	if there {
		m.BlobKey = ""
		report.Unchanged++
	} else {
		m, err = t.fetch(ctx, f)
		var refused *refusedFile
		switch {
		case errors.Is(err, fs.ErrNotExist):
			report.skip("its file does not exist", f.ID, 1)
			return nil
		case errors.As(err, &refused):
			report.skip(refused.reason, f.ID, 1)
			return nil
		case err != nil:
			return fmt.Errorf("cannot fetch the file %s: %w", f.ID, err)
		}
		report.Imported++
	}
	report.Counted++
	if err := report.Digest.add(m.SHA256); err != nil {
		return err
	}
	if err := t.Catalog.KeepMedia(ctx, scope, []catalogMedia.KeptMedium{{Medium: m, Links: f.Links}}); err != nil {
		return fmt.Errorf("cannot store the file %s: %w", f.ID, err)
	}
	return nil
}

// refusedFile is returned for a file that is not acceptable as media.
type refusedFile struct{ reason string }

func (r *refusedFile) Error() string { return r.reason }

// fetch stores the bytes of a file in a blob that nothing refers to yet.
func (t *Target) fetch(ctx context.Context, f File) (m domain.Medium, err error) {
	opened, err := f.Open(ctx)
	if err != nil {
		return m, err
	}
	defer opened.Close() //nolint:errcheck // only read
	if !domain.IsMediaType(opened.ContentType) {
		return m, &refusedFile{"its content type is not supported for media"}
	}
	m = domain.Medium{ID: f.ID, ContentType: opened.ContentType, ContentLength: opened.Length, BlobKey: domain.NewID()}
	if err := t.Catalog.BeginBlobs(ctx, m.BlobKey); err != nil {
		return m, err
	}
	hash := sha256.New()
	if err := t.Media.Blobs.Put(ctx, m.BlobKey, io.TeeReader(opened, hash), opened.Length); err != nil {
		return m, err
	}
	m.SHA256 = base64.StdEncoding.EncodeToString(hash.Sum(nil))
	return m, nil
}

// inheritTraces copies the trace fields of their trace records to observations, as the batch ingestion endpoint does.
func inheritTraces(ctx context.Context, table Rows[domain.Observation], scope domain.ProjectScope, rows []domain.Observation) error {
	ids := make([]string, len(rows))
	for n := range rows {
		ids[n] = rows[n].TraceID
	}
	traces, err := traceRecords(ctx, table, scope, ids)
	if err != nil {
		return err
	}
	for n := range rows {
		trace := traces[rows[n].TraceID]
		if trace == nil {
			continue
		}
		if rows[n].ParentID == "" {
			rows[n].ParentID = trace.ID
		}
		rows[n].TraceName, rows[n].UserID, rows[n].SessionID = trace.TraceName, trace.UserID, trace.SessionID
		rows[n].Release, rows[n].Public, rows[n].Tags = trace.Release, trace.Public, trace.Tags
	}
	return nil
}

// traceRecords returns the existing rows that stand for traces, by trace id.
func traceRecords(
	ctx context.Context, table Rows[domain.Observation], scope domain.ProjectScope, ids []string,
) (map[string]*domain.Observation, error) {
	records := make(map[string]*domain.Observation)
	slices.Sort(ids)
	for some := range slices.Chunk(slices.Compact(ids), lookedUp) {
		for n, id := range some {
			some[n] = domain.TraceRecordID(id)
		}
		for row, err := range table.Lookup(ctx, scope, store.Lookup{IDs: some}) {
			if err != nil {
				return nil, fmt.Errorf("cannot look up %d traces: %w", len(ids), err)
			}
			if row.IsTraceRecord() {
				own := row.Clone()
				own.DropInherited() // what it hands on was sent with it
				records[own.TraceID] = &own
			}
		}
	}
	return records, nil
}

// lookedUp is the number of ids looked up at a time.
const lookedUp = 500

// joinExperiments sets the experiment fields of spans that were imported before.
func joinExperiments(
	ctx context.Context, table Rows[domain.Observation], scope domain.ProjectScope, items []ExperimentItem, report *Report,
) error {
	for some := range slices.Chunk(items, experimentsAtOnce) {
		byTrace := make(map[string][]ExperimentItem)
		var ids []string
		for _, item := range some {
			if byTrace[item.TraceID] == nil {
				ids = append(ids, item.TraceID)
			}
			byTrace[item.TraceID] = append(byTrace[item.TraceID], item)
		}
		rows := make(map[string][]domain.Observation)
		for row, err := range table.Lookup(ctx, scope, store.Lookup{TraceIDs: ids, Want: store.WantAll}) {
			if err != nil {
				return fmt.Errorf("cannot look up the spans of %d experiment items: %w", len(some), err)
			}
			rows[row.TraceID] = append(rows[row.TraceID], row.Clone())
		}
		var changed []domain.Observation
		for _, item := range some {
			spans := below(rows[item.TraceID], item.RootSpanID)
			if len(spans) == 0 {
				report.skip("its span does not exist", item.TraceID, 1)
				continue
			}
			for _, span := range spans {
				item.give(span)
				changed = append(changed, *span)
			}
			report.Counted++
			report.Imported++
			if err := report.Digest.add(item); err != nil {
				return err
			}
		}
		if err := write(ctx, table, scope, changed, "spans of experiments"); err != nil {
			return err
		}
	}
	return nil
}

// experimentsAtOnce is the number of items joined at a time: all spans of their traces are in memory.
const experimentsAtOnce = 20

// below returns the span with the given id and all of its descendants.
func below(rows []domain.Observation, id string) []*domain.Observation {
	children := make(map[string][]*domain.Observation)
	var found []*domain.Observation
	for n := range rows {
		if row := &rows[n]; row.ID == id {
			found = []*domain.Observation{row}
		} else {
			children[row.ParentID] = append(children[row.ParentID], row)
		}
	}
	for n := 0; n < len(found); n++ {
		found = append(found, children[found[n].ID]...)
		delete(children, found[n].ID) // spans can name each other as parents
	}
	return found
}

func (e *ExperimentItem) give(o *domain.Observation) {
	o.ExperimentID, o.ExperimentName, o.ExperimentDescription = e.ID, e.Name, e.Description
	o.ExperimentDatasetID, o.ExperimentMetadata = e.DatasetID, e.Metadata
	o.ExperimentItemID, o.ExperimentItemVersion, o.ExperimentItemRootSpanID = e.ItemID, e.ItemVersion, e.RootSpanID
	o.ExperimentItemExpectedOutput, o.ExperimentItemMetadata = e.ItemExpectedOutput, e.ItemMetadata
}
