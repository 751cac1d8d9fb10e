package importing

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

// Import copies the records of a source to a target.
type Import struct {
	Source Source
	Target *Target
	// Into distinguishes imports of the same source into several projects; it may be empty.
	Into string
	// Restart discards the progress of an earlier import.
	Restart bool
	// Progress, if set, is called after each imported page of a table, and when the table is finished.
	Progress func(r Report, finished bool)
}

// Run imports everything, or what an interrupted import left, and returns a report for each table. After an error the
// reports show the progress so far; another Run continues from there. Running a finished import again starts over.
func (i *Import) Run(ctx context.Context) ([]Report, error) {
	source := i.Source.Identity()
	if i.Into != "" {
		source += " into " + i.Into
	}
	if i.Restart {
		if err := i.Target.Catalog.ForgetImport(ctx, source); err != nil {
			return nil, err
		}
	}
	tables, err := i.Source.Tables(ctx)
	if err != nil {
		return nil, err
	}
	states, err := i.Target.Catalog.ImportStates(ctx, source)
	if err != nil {
		return nil, err
	}
	var reports []Report
	for _, table := range tables {
		t := tableImport{Import: i, ctx: ctx, state: states[table], progress: progress{Report: Report{Table: table}}}
		t.state.Source, t.state.Table = source, table
		if t.state.Report != nil {
			if err := json.Unmarshal(t.state.Report, &t.progress); err != nil {
				return reports, fmt.Errorf("cannot read the progress of importing %s: %w", table, err)
			}
		}
		if !t.state.Finished {
			err = t.run()
		}
		reports = append(reports, t.Report)
		if err != nil {
			return reports, fmt.Errorf("%s: %w", table, err)
		}
	}
	return reports, i.Target.Catalog.ForgetImport(ctx, source)
}

// tableImport is the import of one table.
type tableImport struct {
	*Import
	progress
	ctx   context.Context
	state catalog.ImportState
}

func (t *tableImport) run() error {
	pages, stop := ahead(t.ctx, func(ctx context.Context) iter.Seq2[*Page, error] {
		return t.Source.Pages(ctx, t.state.Table, t.state.Cursor)
	})
	defer stop()
	for p := range pages {
		if p.err != nil {
			return p.err
		}
		// A page that fails is counted only when a retry succeeds.
		part, after, now := Report{Table: t.Table}, t.state, progress{}
		err := t.Target.keep(t.ctx, p.page, &part, func() (catalog.ImportState, error) {
			now = t.with(p.page.ProjectID, &part)
			after.Cursor = p.page.Cursor
			var err error
			after.Report, err = json.Marshal(now)
			return after, err
		})
		if err != nil {
			return err
		}
		t.progress, t.state = now, after
		t.tell(false)
	}
	if err := t.ctx.Err(); err != nil {
		return err
	}
	return t.finish()
}

// finish records in every project what was imported into it.
func (t *tableImport) finish() error {
	var into []catalog.ImportedInto
	for _, id := range slices.Sorted(maps.Keys(t.Projects)) {
		report := t.Projects[id]
		if report.Imported == 0 {
			continue
		}
		scope, err := t.Target.Project(id)
		if err != nil {
			return err
		}
		text, err := json.Marshal(report)
		if err != nil {
			return err
		}
		into = append(into, catalog.ImportedInto{Project: scope, Report: text})
	}
	var err error
	if t.state.Report, err = json.Marshal(t.Report); err != nil {
		return err
	}
	t.state.Finished = true
	if err := t.Target.Catalog.FinishImport(t.ctx, t.state, into, t.Target.Actor); err != nil {
		return err
	}
	t.tell(true)
	return nil
}

func (t *tableImport) tell(finished bool) {
	if t.Progress != nil {
		t.Progress(t.clone(), finished)
	}
}

// fetched is a page or an error.
type fetched struct {
	page *Page
	err  error
}

// pagesAhead is the number of pages read ahead while one is written. Sources bound the size of pages.
const pagesAhead = 2

// ahead reads pages in the background. Stop ends the reading.
func ahead(ctx context.Context, read func(context.Context) iter.Seq2[*Page, error]) (pages <-chan fetched, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	to := make(chan fetched, pagesAhead)
	go func() {
		defer close(to)
		for page, err := range read(ctx) {
			select {
			case to <- fetched{page, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return to, func() {
		cancel()
		for range to { // wait for the reader to end
		}
	}
}

// nameOf returns the id or name of a catalog record, for reports.
func nameOf(record any) string {
	v := reflect.ValueOf(record)
	for _, name := range []string{"ID", "Name"} {
		if f := v.FieldByName(name); f.IsValid() && f.Kind() == reflect.String && f.String() != "" {
			return f.String()
		}
	}
	return ""
}

// TraceRecord returns the row that stands for a trace, for sources in which traces are separate records.
func TraceRecord(t *domain.TraceSummary) domain.Observation {
	return domain.Observation{
		TraceID: t.ID, ID: domain.TraceRecordID(t.ID), Source: domain.SourceIngestionTrace, Type: "SPAN", Level: "DEFAULT",
		Name: t.Name, TraceName: t.Name, Environment: t.Environment, Version: t.Version, Release: t.Release,
		UserID: t.UserID, SessionID: t.SessionID, Tags: t.Tags, Public: t.Public, Bookmarked: t.Bookmarked,
		StartTime: t.Timestamp, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
		Input: t.Input, Output: t.Output, Metadata: t.Metadata,
	}
}
