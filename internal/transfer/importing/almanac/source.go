package almanac

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"almanac/internal/transfer/export"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/files"
)

// table defines how a table is read.
type table struct {
	name string
	// of reports whether a file has data of the table.
	of func(f *file) bool
	// in, if set, reports whether a row has data of the table; nil means that all rows do.
	in func(row []byte) bool
	// add adds a row to a page.
	add func(s *Source, ctx context.Context, f *file, row []byte, page *importing.Page) error
	// whole, if set, reads all files in one go instead, since they contain little data.
	whole func(s *Source, ctx context.Context, list []*file) iter.Seq2[*importing.Page, error]
}

// tablesOf returns a function that reports whether a file is of one of these tables.
func tablesOf(names ...string) func(*file) bool {
	return func(f *file) bool { return slices.Contains(names, f.layout.Table) }
}

// inOrder are the tables in import order.
var inOrder = []table{
	{name: importing.Datasets, of: tablesOf(export.DatasetItems), whole: (*Source).datasets},
	{name: importing.DatasetItems, of: tablesOf(export.DatasetItems), add: (*Source).addItem},
	{
		name: importing.Observations, of: tablesOf(export.Observations, export.ScheduledObservations, export.Deletions),
		add: (*Source).addObservation,
	},
	{name: importing.Traces, of: tablesOf(export.Traces), add: (*Source).addTrace},
	{name: importing.DatasetRuns, of: tablesOf(export.DatasetRunItems), whole: (*Source).datasetRuns},
	{name: importing.DatasetRunItems, of: tablesOf(export.DatasetRunItems), add: (*Source).addRunItem},
	{name: importing.Scores, of: tablesOf(export.Scores, export.Deletions), add: (*Source).addScore},
	{name: importing.Comments, of: func(f *file) bool {
		return !f.layout.Scheduled && tablesOf(export.Observations, export.Traces, export.Sessions)(f)
	}, in: hasComments, add: (*Source).addComments},
	{name: export.Sessions, of: tablesOf(export.Sessions), whole: (*Source).derived},
	{name: export.Users, of: tablesOf(export.Users), whole: (*Source).derived},
	{name: importing.AuditLog, of: tablesOf(export.AuditLogs), add: (*Source).addEntry},
}

// Tables returns the tables that have files.
func (s *Source) Tables(context.Context) (names []string, err error) {
	for _, t := range inOrder {
		if slices.ContainsFunc(s.files, t.of) {
			names = append(names, t.name)
		}
	}
	return names, nil
}

// Pages reads the files of a table, one after the other.
func (s *Source) Pages(ctx context.Context, name, cursor string) iter.Seq2[*importing.Page, error] {
	t := inOrder[slices.IndexFunc(inOrder, func(t table) bool { return t.name == name })]
	s.here = s.Here
	s.here.Dataset, s.here.HasRun = remembered(s.Here.Dataset), remembered(s.Here.HasRun)
	var list []*file
	for _, f := range s.files {
		if t.of(f) {
			list = append(list, f)
		}
	}
	if t.whole != nil {
		return t.whole(s, ctx, list)
	}
	return func(yield func(*importing.Page, error) bool) {
		var at place
		_ = json.Unmarshal([]byte(cursor), &at) // no cursor means the beginning
		first := slices.IndexFunc(list, func(f *file) bool { return f.path == at.File })
		if at.File != "" && first < 0 {
			yield(nil, fmt.Errorf("the import stopped in %s, which no longer exists: start over with --restart", at.File))
			return
		}
		for n, f := range list[max(first, 0):] {
			if n > 0 {
				at = place{}
			}
			if !s.read(ctx, &t, f, at.Row, yield) {
				return
			}
		}
	}
}

// place is a position in the files.
type place struct {
	File string `json:"file"`
	Row  int64  `json:"row"`
}

// Limits of a page.
const (
	pageRows  = 1000
	pageBytes = 16 << 20
	emptyRows = 100_000 // rows that add nothing to the page
)

// read reads a file from after a row, and reports whether to continue.
func (s *Source) read(ctx context.Context, t *table, f *file, skip int64, yield func(*importing.Page, error) bool) bool {
	if err := f.check(ctx); err != nil {
		yield(nil, err)
		return false
	}
	project := f.project
	if f.layout.Table == export.AuditLogs {
		project = "" // entries name their project themselves
	}
	newPage := func() *importing.Page { return &importing.Page{ProjectID: project, Note: s.note(f)} }
	page, number, sent, bytes, empty := newPage(), int64(0), skip, 0, true
	s.rows.Begin()
	send := func() bool {
		text, _ := json.Marshal(place{f.path, number}) //nolint:errchkjson // two plain members
		page.Cursor = string(text)
		full := page
		page, sent, bytes, empty = newPage(), number, 0, true
		s.rows.Begin()
		return yield(full, nil)
	}
	for row, err := range files.Read(f.path, f.layout.cell(f.path)) {
		if err == nil {
			err = ctx.Err()
		}
		if number++; err == nil && number <= skip {
			continue
		}
		if err == nil && (t.in == nil || t.in(row.JSON)) {
			empty = false
			if err = t.add(s, ctx, f, f.layout.pick(row.JSON), page); err != nil {
				err = fmt.Errorf("%s, %s: %w", f.path, row.Place, err)
			}
		}
		if err != nil {
			yield(nil, err)
			return false
		}
		if empty && number-sent < emptyRows {
			continue
		}
		if bytes += len(row.JSON); number-sent >= pageRows || bytes >= pageBytes {
			if !send() {
				return false
			}
		}
	}
	if f.told != nil && number != f.told.RowCount {
		yield(nil, fmt.Errorf("%s has %d rows, but its manifest says %d", f.path, number, f.told.RowCount))
		return false
	}
	return number == sent || send()
}

func (s *Source) note(f *file) string {
	if len(s.loose) == 0 || f.told == nil {
		return ""
	}
	return fmt.Sprintf("%d files are not listed in any manifest and were left out, such as %s: their run was interrupted, and the next "+
		"run exported their rows again", len(s.loose), s.loose[0])
}

// derived is for tables that are computed from others.
func (*Source) derived(context.Context, []*file) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		yield(&importing.Page{Note: "is derived from observations: only comments are read from its files"}, nil)
	}
}
