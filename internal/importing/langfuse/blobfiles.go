package langfuse

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/importing"
	"almanac/internal/jsontext"
)

// FileOptions says where files are.
type FileOptions struct {
	// Directory holds directories of projects, or is that of one project.
	Directory string
	Since     time.Time // only rows that began then or later; zero for all
}

// Files is a source: the files that a scheduled export to blob storage has written. They are named by the ends of their windows, so
// that their order is that of their names; a row that is in several of them is that of the last.
type Files struct {
	options  FileOptions
	projects []string
	files    map[string][]exported // by tables
	rows     rows
}

// exported is one file.
type exported struct{ project, name, path string }

// fileTables are the tables of the layout, and what they are here, in the order of their import.
var fileTables = []struct{ folder, table string }{
	{"traces", importing.Traces}, {"observations_v2", importing.Observations}, {"observations", importing.Observations + " (v3)"}, {"scores", importing.Scores},
}

// fileKinds are the ends of names of files that can be read.
var fileKinds = []string{".jsonl", ".jsonl.gz", ".json", ".json.gz", ".csv", ".csv.gz"}

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
		if !slices.ContainsFunc(fileKinds, func(kind string) bool { return strings.HasSuffix(path, kind) }) {
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
		return nil, fmt.Errorf("%d files are in a form that cannot be read, such as %s: CSV, JSON and JSONL can, packed with gzip or not", len(others), others[0])
	}
	if len(f.projects) == 0 {
		return nil, fmt.Errorf("there are no files of a scheduled export in %s: they are in PROJECT/observations_v2, PROJECT/scores and so on", o.Directory)
	}
	for _, files := range f.files {
		slices.SortFunc(files, func(a, b exported) int { return compareTexts(a.name, b.name) })
	}
	slices.Sort(f.projects)
	return f, nil
}

// Projects returns the ids of the projects that have files.
func (f *Files) Projects() []string { return f.projects }

// Identity names the directory.
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
		_ = json.Unmarshal([]byte(cursor), &at) // without a cursor it is the beginning
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

// filePlace is how far the files are read.
type filePlace struct {
	File string `json:"file"`
	Row  int    `json:"row"`
}

// pageBytes bounds what is in memory of a page of rows.
const pageBytes = 16 << 20

// read reads a file from a row on.
func (f *Files) read(ctx context.Context, file exported, table string, skip int) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		page, bytes, row := &importing.Page{ProjectID: file.project}, 0, 0
		f.rows.begin()
		send := func() bool {
			text, _ := json.Marshal(filePlace{file.name, row}) //nolint:errchkjson // two plain members
			page.Cursor, page.InheritTrace = string(text), table == importing.Observations+" (v3)"
			full := page
			page, bytes = &importing.Page{ProjectID: file.project}, 0
			f.rows.begin()
			return yield(full, nil)
		}
		for raw, err := range recordsOf(file.path) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, fmt.Errorf("cannot read %s: %w", file.path, err))
				return
			}
			if row++; row <= skip {
				continue
			}
			if err := f.add(page, table, raw); err != nil {
				page.Skipped = append(page.Skipped, importing.Skip{Reason: "the row cannot be read", Example: fmt.Sprintf("%s row %d: %v", file.name, row, err)})
			}
			if bytes += len(raw); len(page.Observations)+len(page.Scores)+len(page.Skipped) >= maxRows || bytes >= pageBytes {
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
	switch table {
	case importing.Scores:
		var s scoreFileRow
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		row, reason := new(scoreRow(s)).score(nil)
		switch {
		case reason != "":
			page.Skipped = append(page.Skipped, importing.Skip{Reason: reason, Example: row.ID})
		case row.Timestamp >= since:
			page.Scores = append(page.Scores, row)
		}
	case importing.Traces:
		var t traceFileRow
		if err := json.Unmarshal(raw, &t); err != nil {
			return err
		}
		if row := f.rows.trace(new(traceRow(t))); row.TraceID == "" || row.StartTime == 0 {
			page.Skipped = append(page.Skipped, importing.Skip{Reason: "it has no id or no time", Example: row.TraceID})
		} else if row.StartTime >= since {
			page.Observations = append(page.Observations, row)
		}
	default:
		var o observationFileRow
		if err := json.Unmarshal(raw, &o); err != nil {
			return err
		}
		row := f.rows.observation(new(observationRow(o)))
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

// recordsOf returns the rows of a file, each as a JSON object that is valid until the next.
func recordsOf(path string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		file, err := os.Open(path) //nolint:gosec // the operator names the directory
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close() //nolint:errcheck // only read
		var from io.Reader = bufio.NewReaderSize(file, 1<<20)
		name := path
		if packed, ok := strings.CutSuffix(path, ".gz"); ok {
			unpacked, err := gzip.NewReader(from)
			if errors.Is(err, io.EOF) { // an empty file
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			from, name = unpacked, packed
		}
		if strings.HasSuffix(name, ".csv") {
			eachCSV(from, yield)
		} else {
			eachJSON(from, strings.HasSuffix(name, ".json"), yield)
		}
	}
}

// eachJSON reads objects that follow each other, or that are the elements of a list.
func eachJSON(from io.Reader, list bool, yield func([]byte, error) bool) {
	decoder := json.NewDecoder(from)
	if list {
		switch _, err := decoder.Token(); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			yield(nil, err)
			return
		}
	}
	for !list || decoder.More() {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) && !list {
			return
		}
		if !yield(raw, err) || err != nil {
			return
		}
	}
}

// jsonColumns have JSON in CSV, the others texts.
var jsonColumns = []string{
	"metadata", "model_parameters", "usage_details", "cost_details", "tags", "tool_definitions", "tool_calls", "tool_call_names",
	"bookmarked", "public", "is_root_observation", "prompt_version", "total_cost", "value",
}

// eachCSV reads rows of CSV as JSON objects.
func eachCSV(from io.Reader, yield func([]byte, error) bool) {
	reader := csv.NewReader(from)
	reader.FieldsPerRecord = 0
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return
	}
	for err == nil {
		var values []string
		if values, err = reader.Read(); err != nil {
			break
		}
		object := make(map[string]json.RawMessage, len(header))
		for n, column := range header {
			if values[n] != "" {
				object[column] = cell(column, values[n])
			}
		}
		raw, failed := json.Marshal(object)
		if !yield(raw, failed) || failed != nil {
			return
		}
	}
	if !errors.Is(err, io.EOF) {
		yield(nil, err)
	}
}

// cell returns what a field of CSV stands for.
func cell(column, value string) json.RawMessage {
	if slices.Contains(jsonColumns, column) && json.Valid([]byte(value)) {
		return json.RawMessage(value)
	}
	return jsontext.AppendString(nil, value)
}
