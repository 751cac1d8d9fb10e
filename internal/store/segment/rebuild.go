package segment

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/disk"
)

// RebuildIndex rebuilds the index of a segment from its Parquet file alone and replaces the existing one, if any. The
// directory is that of a table. No server may have it open.
//
// The new index is identical to the one written with the segment, byte for byte.
func RebuildIndex(d disk.Disk, directory string, number int) error {
	return rebuildInto(d, directory, directory, number)
}

// rebuildInto rebuilds the index of a segment in another directory.
func rebuildInto(d disk.Disk, directory, indexDir string, number int) error {
	f, err := openParquet(directory, number)
	if err != nil {
		return fmt.Errorf("cannot rebuild the index of segment %d in %s: %w", number, directory, err)
	}
	defer closeParquet(f)
	f.indexDir = indexDir
	name, err := tableOf(f)
	if err != nil {
		return err
	}
	for _, t := range tables() {
		if t.name == name {
			return t.rebuild(d, f)
		}
	}
	return fmt.Errorf("segment %s belongs to the unknown table %q", f.path, name)
}

// Repair rebuilds the indexes of a store that are missing, do not match their segments, or were written by an earlier
// version, and then applies deletes and replacements that were deferred because of them. It returns the files
// concerned. It does not touch damaged segments, logs and manifests, which Verify
// reports: those hold data and cannot be rebuilt from anything else. No server may have the store open.
func Repair(d disk.Disk, directory string, progress Progress) (made []string, err error) {
	w := newWalk(progress)
	for _, t := range tables() {
		files, err := t.repair(d, filepath.Join(directory, t.name), w)
		made = append(made, files...)
		if err != nil {
			return made, err
		}
	}
	return made, nil
}

func repairTable[R any](d disk.Disk, s *schema[R], directory string, w *walk) (made []string, err error) {
	state, _, err := loadManifest(directory)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil // nothing to repair; Verify reports it if that is wrong
		}
		return nil, err
	}
	w.expect(len(state.segments))
	for _, number := range state.segments {
		path := filepath.Join(directory, indexName(number))
		w.step(path)
		check, err := checkSegment(s, directory, number, state)
		if err != nil {
			return made, err
		}
		if len(check.index) == 0 && !check.earlier || len(check.data) > 0 {
			continue
		}
		if err := RebuildIndex(d, directory, number); err != nil {
			return made, err
		}
		made = append(made, path)
	}
	applied, err := repairDeferred(d, s, directory)
	return append(made, applied...), err
}

// rebuildIndex rebuilds the index of an open segment and replaces the file. The complete new file is renamed over the
// old one, which is never overwritten: backups may share it through a hard link.
func rebuildIndex[R any](d disk.Disk, s *schema[R], f *segmentFile) error {
	index, err := indexOf(s, f)
	if err != nil {
		return fmt.Errorf("cannot rebuild the index of segment %s: %w", f.path, err)
	}
	path := f.indexPath()
	if err := d.WriteFile(disk.RebuiltIndex, path+".new", os.O_TRUNC, func(w io.Writer) error {
		_, err := w.Write(index)
		return err
	}); err != nil {
		return fmt.Errorf("cannot write the index of segment %s: %w", f.path, err)
	}
	if err := d.Rename(path+".new", path); err != nil {
		return fmt.Errorf("cannot replace the index of segment %s: %w", f.path, err)
	}
	return d.SyncDirectory(disk.RebuiltName, f.indexDir)
}

// indexOf builds the index of a segment from its rows.
func indexOf[R any](s *schema[R], f *segmentFile) ([]byte, error) {
	var found faults
	groups := readParquet(s, f, found.add)
	if len(found) > 0 {
		return nil, fmt.Errorf("the segment itself is damaged: %s", strings.Join(found, "; "))
	}
	entries := make([]indexEntry, len(groups))
	for n, g := range groups {
		w, err := writerOf(s, g)
		if err != nil {
			return nil, err
		}
		entries[n] = indexEntry{w.buildIndex(w.textSections()), g.base}
		g.cache.forget(g.id)
	}
	return indexFile(entries), nil
}

// writerOf returns a groupWriter in the state it had after writing a row group, as far as the index needs it.
func writerOf[R any](s *schema[R], g *rowGroup[R]) (*groupWriter[R], error) {
	short := *s // without columns added after the file was written
	short.columns = s.columns[:g.columns-1]
	w := &groupWriter[R]{schema: &short, project: chunk{start: g.base}}
	for n := range short.columns {
		k := &g.chunks[fileColumn(n)]
		c := chunk{dictionary: k.dictionary, codes: k.codes, pages: k.pages}
		if short.columns[n].class == classLong {
			empty, err := g.allEmpty(fileColumn(n))
			if err != nil {
				return nil, err
			}
			if empty {
				c.codes = 1
			}
		}
		w.chunks = append(w.chunks, c)
	}
	var err error
	w.rows, err = g.indexedRows(s)
	return w, err
}

// indexedRows returns the rows with the columns that the index is built from.
func (g *rowGroup[R]) indexedRows(s *schema[R]) ([]placedRow[R], error) {
	var columns []int
	for _, n := range slices.Concat([]int{s.time, s.metadata}, s.named, s.words) {
		columns = append(columns, fileColumn(n))
	}
	reader := newColumnsReader(g, columns)
	values := make([]R, g.rows)
	rows := make([]placedRow[R], g.rows)
	for row := range rows {
		project, err := g.page(0, row/pageRows)
		if err != nil {
			return nil, err
		}
		if err := reader.fill(row, &values[row]); err != nil {
			return nil, err
		}
		rows[row] = placedRow[R]{project: project.dictionary.text(int(project.code(row - project.first))), row: &values[row]}
	}
	return rows, nil
}
