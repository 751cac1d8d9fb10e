package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/filter"
)

// checkIndex compares the index of a segment with the row groups of its Parquet file. One fault of a kind in a row group
// is enough: whatever the fault is, the index is made again as a whole.
func checkIndex[R any](s *schema[R], f *segmentFile, path string, groups []*rowGroup[R], found *faults) {
	indexed, err := openRowGroups(s, f, newCache(32<<20))
	if err != nil {
		found.add("%s: %v", path, err)
		return
	}
	if groups == nil { // the footer of the segment is damaged, which was told
		groups = make([]*rowGroup[R], len(indexed))
	}
	if len(indexed) != len(groups) {
		found.add("%s has %d row groups, the segment has %d", path, len(indexed), len(groups))
		return
	}
	for n, g := range indexed {
		c := &indexCheck[R]{schema: s, index: g, data: groups[n]}
		for _, check := range []func() error{
			c.sections, c.layout, c.readRows, c.projects, c.order, c.keys, c.names, c.members, c.words, c.fields,
		} {
			if err := check(); err != nil {
				found.add("%s, row group %d at offset %d: %v", path, n, blobAt(f.index, n), err)
				if c.rows == nil {
					break // without sections, layout and rows the others have nothing to look at
				}
			}
			if c.data == nil {
				break // the segment is damaged there, which was told
			}
		}
	}
}

// indexCheck compares what an index says about a row group with the row group.
type indexCheck[R any] struct {
	schema *schema[R]
	index  *rowGroup[R] // as the index has it
	data   *rowGroup[R] // as the Parquet file has it; nil if that is damaged
	rows   []placedRow[R]
}

// sections looks at all checksums.
func (c *indexCheck[R]) sections() error {
	for n := range c.schema.sections() {
		if _, err := c.index.section(n); err != nil {
			return err
		}
	}
	return nil
}

// layout compares where the pages are.
func (c *indexCheck[R]) layout() error {
	if c.index.rows != c.data.rows || fileColumn(c.index.columns) != c.data.columns || c.index.base != c.data.base {
		return fmt.Errorf("it has %d rows, %d columns and starts at offset %d; the segment has %d, %d and %d",
			c.index.rows, c.index.columns, c.index.base, c.data.rows, c.data.columns-1, c.data.base)
	}
	for n := range c.index.columns {
		name := c.schema.columns[n].name
		got, want := &c.index.chunks[n], &c.data.chunks[fileColumn(n)]
		if c.schema.columns[n].class == classLong {
			empty, err := c.data.allEmpty(fileColumn(n))
			if err != nil {
				return err
			}
			if empty != (got.codes == 1) {
				return fmt.Errorf("column %s is noted as empty: %v; it is: %v", name, got.codes == 1, empty)
			}
		} else if got.codes != want.codes {
			return fmt.Errorf("column %s has %d texts; the segment has %d", name, got.codes, want.codes)
		}
		if want.dictionary.size > 0 && got.dictionary != want.dictionary {
			return fmt.Errorf("the dictionary of column %s is said to be %+v; the segment has %+v", name, got.dictionary, want.dictionary)
		}
		if !slices.Equal(got.pages, want.pages) {
			return fmt.Errorf("the %d pages of column %s are not where the segment has its %d", len(got.pages), name, len(want.pages))
		}
	}
	return nil
}

func (c *indexCheck[R]) readRows() (err error) {
	c.rows, err = c.data.indexedRows(c.schema)
	return err
}

// projects compares which rows belong to whom, and their times.
func (c *indexCheck[R]) projects() error {
	w := &groupWriter[R]{schema: c.schema, rows: c.rows}
	if want := w.projectRanges(); !slices.Equal(c.index.projects, want) {
		return fmt.Errorf("the projects are said to be %+v; the segment has %+v", c.index.projects, want)
	}
	return nil
}

// order looks at the order of rows by time.
func (c *indexCheck[R]) order() error {
	seen := newBitset(len(c.rows))
	for n := range c.index.order.len() {
		row := c.index.order.at(n)
		if row >= len(c.rows) || !seen.add(row) {
			return fmt.Errorf("the order names row %d of %d twice or without having it", row, len(c.rows))
		}
		if n == 0 {
			continue
		}
		before := c.index.order.at(n - 1)
		a, b := &c.rows[before], &c.rows[row]
		if a.project > b.project || a.project == b.project && comparePositions(c.schema.positionOf(a.row), c.schema.positionOf(b.row)) > 0 {
			return fmt.Errorf("the order puts row %d before row %d, which is newer or of a project before", before, row)
		}
	}
	if seen.len() != len(c.rows) {
		return fmt.Errorf("the order has %d rows of %d", seen.len(), len(c.rows))
	}
	return nil
}

// names looks up every text of the named columns.
func (c *indexCheck[R]) names() error {
	type name struct{ project, text string }
	for _, column := range c.schema.named {
		of := make(map[name][]int)
		for row, r := range c.rows {
			n := name{r.project, *c.schema.columns[column].text(r.row)}
			of[n] = append(of[n], row)
		}
		for n, rows := range of {
			var found []int
			if err := c.index.eachNamed(column, n.project, n.text, func(row int) { found = append(found, row) }); err != nil {
				return err
			}
			if n.text == "" {
				rows = nil // nobody looks for these
			}
			if !slices.Equal(found, rows) {
				return fmt.Errorf("%d rows are found by their %s %q; the segment has %d", len(found), c.schema.columns[column].name, n.text, len(rows))
			}
		}
	}
	return nil
}

// keys looks for every key in the filter.
func (c *indexCheck[R]) keys() error {
	for row, r := range c.rows {
		if key := *c.schema.columns[c.schema.keyColumn()].text(r.row); !bloomHas(c.index.bloom, hashKey(r.project, key)) {
			return fmt.Errorf("row %d, %q, is not in the filter of keys", row, key)
		}
	}
	return nil
}

// sample calls each with one row of every stretch, not always the first.
func (c *indexCheck[R]) sample(each func(stretch int, row *R) error) error {
	for stretch := range stretches(len(c.rows)) {
		first := stretch * stretchRows
		row := first + stretch*53%min(stretchRows, len(c.rows)-first)
		if err := each(stretch, c.rows[row].row); err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
	}
	return nil
}

// stretchOf looks a hash up for one stretch.
func stretchOf(p *postingsReader, hash uint32, stretch int) bool {
	keep := newBitset(p.stretches)
	keep.add(stretch)
	p.find(hash, keep)
	return keep.has(stretch)
}

// members looks up members of metadata.
func (c *indexCheck[R]) members() error {
	p, err := c.postings(c.index.members)
	if err != nil {
		return err
	}
	fields, err := c.index.fields()
	if err != nil {
		return err
	}
	return c.sample(func(stretch int, row *R) (err error) {
		seen := make(map[string]bool)
		filter.EachLeaf(*c.schema.columns[c.schema.metadata].text(row), func(key, value string) bool {
			if f, _, _, _ := findField(fields, key); f.values > 0 || seen[key] { // of several entries the first counts
				return true
			}
			seen[key] = true
			if !stretchOf(p, memberHash(key, value), stretch) {
				err = fmt.Errorf("the member %q of its metadata is not found", key)
			}
			return err == nil
		})
		return err
	})
}

// words looks up words, also those in the values of metadata.
func (c *indexCheck[R]) words() error {
	p, err := c.postings(c.index.words)
	if err != nil {
		return err
	}
	return c.sample(func(stretch int, row *R) (err error) {
		look := func(word []byte) {
			if err == nil && !stretchOf(p, wordHash(word), stretch) {
				err = fmt.Errorf("its word %q is not found", word)
			}
		}
		for _, column := range c.schema.words {
			filter.EachFolded(*c.schema.columns[column].text(row), nil, look)
		}
		filter.EachLeaf(*c.schema.columns[c.schema.metadata].text(row), func(_, value string) bool {
			filter.EachFolded(value, nil, look)
			return err == nil
		})
		return err
	})
}

// fields compares the fields of metadata with the rows, all of them: answers are given from the fields alone.
func (c *indexCheck[R]) fields() error {
	section, err := c.index.fields()
	if err != nil {
		return err
	}
	builder := newFieldsBuilder(newPostings(), len(c.rows))
	for n, r := range c.rows {
		filter.EachLeaf(*c.schema.columns[c.schema.metadata].text(r.row), func(key, value string) bool {
			builder.add(n, key, value)
			return true
		})
	}
	if !bytes.Equal(builder.section(), section) {
		return errors.New("the fields of its metadata are not those of its rows")
	}
	return nil
}

func (c *indexCheck[R]) postings(open func() (*postingsReader, error)) (*postingsReader, error) {
	p, err := open()
	if err != nil {
		return nil, err
	}
	if p.stretches != stretches(len(c.rows)) {
		return nil, fmt.Errorf("postings are of %d stretches; the segment has %d", p.stretches, stretches(len(c.rows)))
	}
	return p, nil
}

// blobAt returns where the blob of a row group is in an index file, for messages.
func blobAt(index []byte, ordinal int) uint64 {
	if at := 16 + 24*ordinal; at+8 <= len(index) {
		return binary.LittleEndian.Uint64(index[at:])
	}
	return 0
}
