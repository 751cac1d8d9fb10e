// Package almanac is an import source for files that Almanac exports, from both batch and scheduled exports.
package almanac

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/transfer/export"
	"almanac/internal/transfer/importing/files"
	"almanac/internal/transfer/importing/langfuse"
)

// TargetLookup looks up what exists in the target.
type TargetLookup struct {
	// Project returns the ids of the project, and of its organization, that receives the data of a project of the
	// files.
	Project func(id string) (projectID, organizationID string)
	// Dataset returns the id of the dataset with this name in a target project, or "" if there is none.
	Dataset func(ctx context.Context, projectID, name string) (string, error)
	// HasRun reports whether a target project has a dataset run.
	HasRun func(ctx context.Context, projectID, id string) (bool, error)
	// HasItem reports whether a row of a target project says that it is the root span of an experiment item.
	HasItem func(ctx context.Context, projectID, traceID, id, itemID string) (bool, error)
	// Author returns the id of the user with an email address, or nil if there is none.
	Author func(ctx context.Context, email string) (*string, error)
}

// Source reads files. It is not safe for concurrent use.
type Source struct {
	Here TargetLookup
	// Since leaves out observations and scores from before a time; 0 for none.
	Since domain.Micros

	identity string
	projects []string
	files    []*file // in import order
	deleted  map[digest]int
	loose    []string
	rows     langfuse.Rows
	here     TargetLookup // with caching, for the current table
}

// file is one file.
type file struct {
	path    string
	project string
	layout  *layout
	run     int // sequence number of the run of a scheduled export; 0 if no manifest names the file
	told    *export.ManifestFile
	checked bool // the file matches its manifest
	// before holds the times before which rows were deleted after the run, by table; 0 for none.
	before map[string]domain.Micros
}

// Open looks for files, also in directories. Files that are not named explicitly and do not look like an export by name
// are ignored.
func Open(ctx context.Context, paths []string) (*Source, error) {
	s := new(Source)
	var found, manifests []string
	names := sha256.New()
	for _, named := range paths {
		absolute, err := filepath.Abs(named)
		if err != nil {
			return nil, err
		}
		_, _ = fmt.Fprintf(names, "%d:%s", len(absolute), absolute)
		if err := filepath.WalkDir(absolute, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || entry.IsDir():
				return err
			case filepath.Base(filepath.Dir(name)) == export.Manifests && strings.HasSuffix(name, ".json"):
				manifests = append(manifests, name)
			case files.HasEnd(name, files.Parquet), files.HasEnd(name, files.Texts...):
				found = append(found, name)
			case name == absolute:
				return fmt.Errorf("%s: the name must end in %s or %s, which tells the format", name, strings.Join(files.Texts, ", "),
					files.Parquet)
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	s.identity = fmt.Sprintf("exports %x", names.Sum(nil))
	all := layouts()
	taken, err := s.addRuns(all, manifests)
	if err != nil {
		return nil, err
	}
	slices.Sort(found)
	if err := s.addFiles(all, slices.Compact(found), taken); err != nil {
		return nil, err
	}
	if len(s.files) == 0 {
		return nil, errors.New("no export files found")
	}
	return s, s.readDeletions(ctx)
}

// addRuns adds the files of scheduled export runs, as named by manifests.
func (s *Source) addRuns(all []*layout, manifests []string) (taken map[string]bool, err error) {
	taken = make(map[string]bool) // folders
	// Names begin with the time of the run, regardless of the project.
	slices.SortFunc(manifests, func(a, b string) int {
		return cmp.Or(strings.Compare(filepath.Base(a), filepath.Base(b)), strings.Compare(a, b))
	})
	for number, name := range manifests {
		text, err := os.ReadFile(name) //nolint:gosec // the operator names the directory
		if err != nil {
			return nil, err
		}
		var m export.Manifest
		if err := json.Unmarshal(text, &m); err != nil || m.ProjectID == "" {
			return nil, fmt.Errorf("%s is not a manifest, or it is damaged", name)
		}
		if m.SchemaVersion > export.ScheduledVersion {
			return nil, fmt.Errorf("%s has version %d, written by a newer version of Almanac; this version supports up to %d", name,
				m.SchemaVersion, export.ScheduledVersion)
		}
		root := filepath.Dir(filepath.Dir(name))
		for _, folder := range []string{export.ScheduledObservations, export.Scores, export.Deletions} {
			taken[filepath.Join(root, folder)] = true
		}
		slices.SortStableFunc(m.Files, func(a, b export.ManifestFile) int { return cmp.Compare(orderInRun(a.Table), orderInRun(b.Table)) })
		for n := range m.Files {
			told := &m.Files[n]
			f := &file{
				path: filepath.Join(root, path.Base(path.Dir(told.Key)), path.Base(told.Key)), project: m.ProjectID, run: number + 1,
				told: told,
			}
			if _, err := os.Stat(f.path); err != nil {
				return nil, fmt.Errorf("%s lists a file that does not exist: %w", name, err)
			}
			for _, l := range all {
				if l.Scheduled && l.Table == told.Table {
					f.layout = l
				}
			}
			if f.layout == nil {
				return nil, fmt.Errorf("%s lists a file of an unknown table, %q", name, told.Table)
			}
			s.add(f)
		}
	}
	return taken, nil
}

// addFiles adds files that no manifest names. Those in the folders of scheduled exports that have manifests belong to
// interrupted runs, whose rows are in the next run. Without manifests, the names of files tell the order of runs.
func (s *Source) addFiles(all []*layout, found []string, taken map[string]bool) error {
	known := make(map[string]bool)
	for _, f := range s.files {
		known[f.path] = true
	}
	var unlisted []*file
	for _, name := range found {
		if known[name] {
			continue
		}
		if taken[filepath.Dir(name)] {
			s.loose = append(s.loose, name)
			continue
		}
		columns, err := files.Columns(name)
		if err != nil {
			return err
		}
		if len(columns) == 0 {
			continue // a file without rows
		}
		f := &file{path: name, project: Unnamed, layout: layoutOf(all, columns)}
		if f.layout == nil {
			return fmt.Errorf("%s is not an export file: its columns match no table", name)
		}
		if f.layout.Scheduled && filepath.Base(filepath.Dir(name)) == f.layout.Table {
			f.project = filepath.Base(filepath.Dir(filepath.Dir(name)))
			unlisted = append(unlisted, f)
			continue
		}
		s.add(f)
	}
	for _, f := range inRuns(unlisted) {
		s.add(f)
	}
	return nil
}

// inRuns numbers the runs that wrote files of scheduled exports, and sorts the files by them. Names begin with the time of
// the run, in seconds, and the range of rows: {ts}_{range}. The names of deletions begin with the range of observations.
func inRuns(unlisted []*file) []*file {
	type folder struct{ project, table, at string }
	parts := func(f *file) (at, within string) {
		name, _, _ := strings.Cut(filepath.Base(f.path), ".")
		words := strings.Split(name, "_")
		if len(words) > 1 {
			within = words[1]
		}
		return words[0], within
	}
	ranges := make(map[folder][]string) // of each second, in order
	for _, f := range unlisted {
		at, within := parts(f)
		in := folder{f.project, f.layout.Table, at}
		if n, known := slices.BinarySearch(ranges[in], within); !known {
			ranges[in] = slices.Insert(ranges[in], n, within)
		}
	}
	keys := make(map[*file]string)
	for _, f := range unlisted {
		at, within := parts(f)
		table := f.layout.Table
		if table == export.Deletions {
			table = export.ScheduledObservations // every run writes one
		}
		n, _ := slices.BinarySearch(ranges[folder{f.project, table, at}], within)
		keys[f] = fmt.Sprintf("%s %03d", at, n)
	}
	slices.SortStableFunc(unlisted, func(a, b *file) int {
		return cmp.Or(strings.Compare(keys[a], keys[b]), cmp.Compare(orderInRun(a.layout.Table), orderInRun(b.layout.Table)))
	})
	for n, f := range unlisted {
		if f.run = 1; n > 0 {
			if f.run = unlisted[n-1].run; keys[f] != keys[unlisted[n-1]] {
				f.run++
			}
		}
	}
	return unlisted
}

// orderInRun returns the position of a table within a run: deletions apply to what earlier runs have written.
func orderInRun(table string) int {
	return slices.Index([]string{export.Deletions, export.ScheduledObservations, export.Scores}, table)
}

// IsOurs reports whether a directory has files of scheduled exports of Almanac, rather than of Langfuse.
func IsOurs(directory string) (ours bool, err error) {
	err = filepath.WalkDir(directory, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch filepath.Base(filepath.Dir(name)) {
		case export.Deletions:
			ours = true
		case export.Manifests:
			text, err := os.ReadFile(name) //nolint:gosec // the operator names the directory
			if err != nil {
				return err
			}
			var m export.Manifest
			ours = json.Unmarshal(text, &m) == nil && m.SchemaVersion > 0
		}
		if ours {
			return fs.SkipAll
		}
		return nil
	})
	return ours, err
}

func (s *Source) add(f *file) {
	s.files = append(s.files, f)
	if !slices.Contains(s.projects, f.project) {
		s.projects = append(s.projects, f.project)
	}
}

// Unnamed stands for the project of files that do not name one.
const Unnamed = "the files' project"

// Projects returns the ids of the projects that have files.
func (s *Source) Projects() []string { return s.projects }

// Identity identifies the files.
func (s *Source) Identity() string {
	if s.Since != 0 {
		return s.identity + " since " + s.Since.Time().Format(time.RFC3339)
	}
	return s.identity
}

// check verifies a file against its manifest, once.
func (f *file) check(ctx context.Context) error {
	if f.told == nil || f.checked {
		return nil
	}
	opened, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer opened.Close() //nolint:errcheck // only read
	hash := sha256.New()
	size, err := io.Copy(hash, &interruptible{ctx, opened})
	if err != nil {
		return err
	}
	switch sum := hex.EncodeToString(hash.Sum(nil)); {
	case size != f.told.SizeBytes:
		return fmt.Errorf("%s has %d bytes, but its manifest says %d: it is damaged, or was not copied completely", f.path, size,
			f.told.SizeBytes)
	case sum != f.told.SHA256:
		return fmt.Errorf("%s is damaged: its SHA-256 is %s, but its manifest says %s", f.path, sum, f.told.SHA256)
	}
	f.checked = true
	return nil
}

// interruptible is a reader that fails when its context is done.
type interruptible struct {
	ctx  context.Context //nolint:containedctx // of the one call
	from io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.from.Read(p)
}

// digest is a hash of the key of a row, since there may be many.
type digest [16]byte

func digestOf(project, table string, key domain.RowKey) (d digest) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", project, table, key.TraceID, key.ID))
	copy(d[:], sum[:])
	return d
}

// wasDeleted reports whether a row of a file was deleted after the file was written.
func (s *Source) wasDeleted(f *file, table string, key domain.RowKey, at domain.Micros) bool {
	return f.run > 0 && (at < f.before[table] || f.run < s.deleted[digestOf(f.project, table, key)])
}

// deletedRow is a row of a deletions file.
type deletedRow struct {
	Table   string             `json:"table"`
	ID      string             `json:"id"`
	TraceID string             `json:"traceId"`
	Before  langfuse.Timestamp `json:"before"`
}

// readDeletions reads which rows were deleted after which runs.
func (s *Source) readDeletions(ctx context.Context) error {
	s.deleted = make(map[digest]int)
	for _, f := range s.files {
		if f.layout.Table != export.Deletions || f.run == 0 {
			continue
		}
		if err := f.check(ctx); err != nil {
			return err
		}
		for row, err := range files.Read(f.path, f.layout.cell(f.path)) {
			if err != nil {
				return err
			}
			var d deletedRow
			if err := json.Unmarshal(f.layout.pick(row.JSON), &d); err != nil {
				return fmt.Errorf("%s, %s: %w", f.path, row.Place, err)
			}
			if d.Before == 0 {
				s.deleted[digestOf(f.project, d.Table, domain.RowKey{TraceID: d.TraceID, ID: d.ID})] = f.run
				continue
			}
			for _, earlier := range s.files {
				if earlier.project == f.project && earlier.run > 0 && earlier.run < f.run {
					if earlier.before == nil {
						earlier.before = make(map[string]domain.Micros)
					}
					earlier.before[d.Table] = max(earlier.before[d.Table], domain.Micros(d.Before))
				}
			}
		}
	}
	return nil
}
