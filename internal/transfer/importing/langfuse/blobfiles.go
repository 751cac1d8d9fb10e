package langfuse

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/files"
)

// FileOptions configures where to find files.
type FileOptions struct {
	// Directory contains project directories, or is itself a project directory.
	Directory string
	Since     time.Time // only rows that began at or after this time; zero for all
}

// Files is an import source for the files of a scheduled export to blob storage. Files are named by the end of their
// windows, so they are read in name order; if a row is in several files, the last one wins.
type Files struct {
	options  FileOptions
	projects []string
	files    map[string][]exported // by table
	rows     Rows
}

// exported is a file.
type exported struct{ project, name, path string }

// fileTables maps the folders of the layout to our tables, in import order.
var fileTables = []struct{ folder, table string }{
	{"traces", importing.Traces},
	{"observations_v2", importing.Observations},
	{"observations", importing.Observations + " (v3)"},
	{"scores", importing.Scores},
}

// OpenFiles looks for files.
func OpenFiles(o FileOptions) (*Files, error) {
	f := &Files{options: o, files: make(map[string][]exported)}
	var others []string
	err := filepath.WalkDir(o.Directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		folder := filepath.Dir(path)
		at := slices.IndexFunc(fileTables, func(t struct{ folder, table string }) bool { return t.folder == filepath.Base(folder) })
		if at < 0 {
			return nil
		}
		if !files.HasEnd(path, files.Texts...) {
			others = append(others, path)
			return nil
		}
		owner, err := filepath.Abs(filepath.Dir(folder))
		if err != nil {
			return err
		}
		project := filepath.Base(owner)
		name, err := filepath.Rel(o.Directory, path)
		if err != nil {
			return err
		}
		table := fileTables[at].table
		f.files[table] = append(f.files[table], exported{project, filepath.ToSlash(name), path})
		if !slices.Contains(f.projects, project) {
			f.projects = append(f.projects, project)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("cannot look for files: %w", err)
	}
	if len(others) > 0 {
		return nil,
			fmt.Errorf("%d files have an unsupported format, such as %s: only CSV, JSON and JSONL are supported, compressed with gzip or not", len(others), others[0])
	}
	if len(f.projects) == 0 {
		return nil,
			fmt.Errorf("no files of a scheduled export found in %s: they are expected in PROJECT/observations_v2, PROJECT/scores and so on",
				o.Directory)
	}
	for _, list := range f.files {
		slices.SortFunc(list, func(a, b exported) int { return strings.Compare(a.name, b.name) })
	}
	slices.Sort(f.projects)
	return f, nil
}

// Projects returns the ids of the projects that have files.
func (f *Files) Projects() []string { return f.projects }

// Identity identifies the directory.
func (f *Files) Identity() string {
	directory, err := filepath.Abs(f.options.Directory)
	if err != nil {
		directory = f.options.Directory
	}
	identity := "langfuse files " + directory
	if !f.options.Since.IsZero() {
		identity += " since " + f.options.Since.UTC().Format(time.RFC3339)
	}
	return identity
}

// Tables returns the tables that have files.
func (f *Files) Tables(context.Context) (tables []string, err error) {
	for _, t := range fileTables {
		if len(f.files[t.table]) > 0 {
			tables = append(tables, t.table)
		}
	}
	return tables, nil
}

// Pages reads the files of a table, one after the other.
func (f *Files) Pages(ctx context.Context, table, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		var at filePlace
		_ = json.Unmarshal([]byte(cursor), &at) // no cursor means the beginning
		for _, file := range f.files[table] {
			if file.name < at.File {
				continue
			}
			skip := 0
			if file.name == at.File {
				skip = at.Row
			}
			for page, err := range f.read(ctx, file, table, skip) {
				if !yield(page, err) || err != nil {
					return
				}
			}
		}
	}
}

// filePlace is a position in the files.
type filePlace struct {
	File string `json:"file"`
	Row  int    `json:"row"`
}

// pageBytes bounds the memory of a page of rows.
const pageBytes = 16 << 20

// read reads a file from after a row.
func (f *Files) read(ctx context.Context, file exported, table string, skip int) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		page, bytes, row := &importing.Page{ProjectID: file.project}, 0, 0
		f.rows.Begin()
		send := func() bool {
			text, _ := json.Marshal(filePlace{file.name, row}) //nolint:errchkjson // two plain members
			page.Cursor, page.InheritTrace = string(text), table == importing.Observations+" (v3)"
			full := page
			page, bytes = &importing.Page{ProjectID: file.project}, 0
			f.rows.Begin()
			return yield(full, nil)
		}
		for read, err := range files.Read(file.path, cell) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, fmt.Errorf("cannot read %w", err))
				return
			}
			if row++; row <= skip {
				continue
			}
			if err := f.add(page, table, read.JSON); err != nil {
				page.Skipped = append(page.Skipped, importing.Skip{
					Reason: "the row cannot be read", Example: fmt.Sprintf("%s, %s: %v", file.name, read.Place, err),
				})
			}
			if bytes += len(read.JSON); len(page.Observations)+len(page.Scores)+len(page.Skipped) >= maxRows || bytes >= pageBytes {
				if !send() {
					return
				}
			}
		}
		send()
	}
}

// add adds a row of a table to a page.
func (f *Files) add(page *importing.Page, table string, raw []byte) error {
	since := domain.MicrosOf(f.options.Since)
	raw = camelCase(string(raw)) // rows in files have the members of API rows under other names
	switch table {
	case importing.Scores:
		row, reason, err := f.rows.Score(raw)
		if err != nil {
			return err
		}
		switch {
		case reason != "":
			page.Skipped = append(page.Skipped, importing.Skip{Reason: reason, Example: row.ID})
		case row.Timestamp >= since:
			page.Scores = append(page.Scores, row)
		}
	case importing.Traces:
		t, err := f.rows.Trace(raw)
		if err != nil {
			return err
		}
		if row := importing.TraceRecord(&t); row.TraceID == "" || row.StartTime == 0 {
			page.Skipped = append(page.Skipped, importing.Skip{Reason: "it has no id or no time", Example: row.TraceID})
		} else if row.StartTime >= since {
			page.Observations = append(page.Observations, row)
		}
	default:
		row, err := f.rows.Observation(raw)
		if err != nil {
			return err
		}
		if table != importing.Observations {
			row.Source = domain.SourceIngestion
		}
		switch {
		case row.ID == "" || row.TraceID == "" || row.StartTime == 0:
			page.Skipped = append(page.Skipped, importing.Skip{Reason: "it has no id, no trace or no start time", Example: row.ID})
		case row.StartTime >= since:
			page.Observations = append(page.Observations, row)
		}
	}
	return nil
}

// jsonColumns contain JSON in CSV files; the others contain text.
var jsonColumns = []string{
	"metadata", "model_parameters", "usage_details", "cost_details", "tags", "tool_definitions", "tool_calls", "tool_call_names",
	"bookmarked", "public", "is_root_observation", "prompt_version", "total_cost", "value",
}

// cell converts a CSV field to JSON.
func cell(column, value string) json.RawMessage {
	if slices.Contains(jsonColumns, column) && json.Valid([]byte(value)) {
		return json.RawMessage(value)
	}
	return jsontext.AppendString(nil, value)
}
