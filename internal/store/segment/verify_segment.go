package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
)

// segmentCheck holds the faults found in one segment.
type segmentCheck struct {
	data    faults // in the Parquet file
	index   faults
	earlier bool // the index was written by an earlier version: it was not checked, and is rebuilt when the table is opened
}

// checkSegment checks one segment. An error means that the check itself failed.
func checkSegment[R any](s *schema[R], directory string, number int, state *tableState) (c *segmentCheck, err error) {
	c = new(segmentCheck)
	f, err := openParquet(directory, number)
	if errors.Is(err, fs.ErrNotExist) {
		c.data.add("%s is missing", filepath.Join(directory, segmentName(number)))
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	defer closeParquet(f)
	at := &c.data
	// Otherwise a disk error in a mapped file would kill the process.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		// Third-party decoders may panic on corrupt input.
		if p := recover(); p != nil {
			at.add("%s or its index cannot be read at all: %v", f.path, p)
		}
	}()
	groups := readParquet(s, f, c.data.add)
	checkDeadRows(f, groups, state, &c.data)
	for _, g := range groups {
		if g != nil {
			checkPages(g, &c.data)
		}
	}
	at = &c.index
	path := filepath.Join(directory, indexName(number))
	f.index, err = os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.index.add("%s is missing", path)
	case err != nil:
		return nil, err
	case len(f.index) < len(indexMagic):
		c.index.add("%s has only %d bytes", path, len(f.index))
	case errors.Is(checkIndexVersion(f.index), errEarlierIndex):
		c.earlier = true
	default:
		checkIndex(s, f, path, groups, &c.index)
	}
	return c, nil
}

// checkDeadRows checks the sets of dead rows that the manifest has for a segment.
func checkDeadRows[R any](f *segmentFile, groups []*rowGroup[R], state *tableState, found *faults) {
	for key, encoded := range state.dead {
		if key.Segment != f.number {
			continue
		}
		if key.Group < 0 || key.Group >= len(groups) {
			found.add("the manifest lists dead rows of row group %d of %s, which has %d", key.Group, f.path, len(groups))
			continue
		}
		g := groups[key.Group]
		if g == nil {
			continue // damaged: its number of rows is unknown
		}
		dead, err := readBitset(encoded, g.rows)
		if err != nil {
			found.add("the manifest's dead rows of row group %d of %s, which has %d rows: %v", key.Group, f.path, g.rows, err)
			continue
		}
		if dead != nil && g.rows%64 != 0 && dead.words[len(dead.words)-1]>>(g.rows%64) != 0 {
			found.add("the manifest lists dead rows of row group %d of %s that do not exist: it has %d rows", key.Group, f.path, g.rows)
		}
	}
}

// checkPages decodes every page. Checksums show that pages are as they were written, but not that they can be decoded.
func checkPages[R any](g *rowGroup[R], found *faults) {
	for column := range g.columns {
		for number := range g.chunks[column].pages {
			if err := g.checkPage(column, number); err != nil {
				found.add("%v", err)
				break // the rest of the column is likely the same
			}
		}
	}
}

func (g *rowGroup[R]) checkPage(column, number int) error {
	p, err := g.page(column, number)
	if err != nil {
		return err
	}
	if p.dictionary == nil {
		return nil
	}
	for _, code := range p.codes {
		if code < 0 || int(code) >= p.dictionary.len() {
			return fmt.Errorf("column %s at offset %d of segment %s uses text %d of a dictionary of %d",
				g.schema.columns[column].Name, g.chunks[column].pages[number].offset, g.file.path, code, p.dictionary.len())
		}
	}
	return nil
}
