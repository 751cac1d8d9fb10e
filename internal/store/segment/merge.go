package segment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go/format"

	"almanac/internal/disk"
	"almanac/internal/store"
)

// Merging keeps the number of files low and reclaims space. Segments of the same day are merged, or of the same month or
// year if they cover more than a day. Row groups with few dead rows are moved byte for byte, which costs no more than
// copying; those with many are rewritten. Segments with few rows are also consolidated (consolidate.go).
const (
	// rewriteShare is the share of dead rows above which a row group is rewritten.
	rewriteShare = 0.3
	// mergeFan is the minimum number of small segments of a day or longer span to merge: merging earlier would copy the
	// same bytes again and again.
	mergeFan = 4
	// mergeRetry is how long a segment that could not be merged is left alone.
	mergeRetry = time.Hour
	// rewriteRows is the maximum number of rows of a row group combined from several.
	rewriteRows = 12_000
)

// mergeLoop merges segments until the table is closed.
func (t *table[R]) mergeLoop() {
	defer t.stopped.Done()
	pause := time.Minute
	for {
		select {
		case <-t.stop:
			return
		case <-t.mergeNow:
		case <-time.After(pause):
		}
		pause = time.Minute
		if err := t.retryDeferred(); err != nil {
			t.options.Log.Error("cannot record deletes and replacements that were applied late; retrying later", "table", t.schema.table,
				"error", err)
		}
		for {
			merged, err := t.mergeOnce(mergeFan)
			if err != nil && !errors.Is(err, errSetAside) {
				t.options.Log.Error("cannot merge segments; retrying later", "table", t.schema.table, "error", err)
				break
			}
			if !merged && err == nil {
				break
			}
			select {
			case <-t.stop:
				return
			case <-time.After(20 * time.Millisecond): // writers and readers come first
			}
		}
	}
}

// mergeAll merges everything that can be merged. It returns an error for each segment that cannot.
func (t *table[R]) mergeAll(ctx context.Context) error {
	var unmerged error
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := t.view(); err != nil {
			return err
		}
		switch merged, err := t.mergeOnce(2); {
		case errors.Is(err, errSetAside):
			unmerged = errors.Join(unmerged, err)
		case err != nil:
			return errors.Join(unmerged, err)
		case !merged:
			return unmerged
		}
	}
}

// errSetAside means that a segment cannot be merged, and that others may be.
var errSetAside = errors.New("it is not merged for now, others are")

// setAside are the segments that could not be merged. Others are merged meanwhile, or one damaged page would stop all
// merging: files and dead rows would pile up.
type setAside struct {
	mu    sync.Mutex
	until map[*segmentFile]time.Time
}

// add sets a segment aside, and reports whether that is new.
func (s *setAside) add(f *segmentFile) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.until == nil {
		s.until = make(map[*segmentFile]time.Time)
	}
	_, again := s.until[f]
	s.until[f] = time.Now().Add(mergeRetry)
	return !again
}

// has reports whether a segment is set aside at the moment.
func (s *setAside) has(f *segmentFile) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.until[f])
}

// keep forgets all segments but the given ones, and returns how many are left.
func (s *setAside) keep(files map[*segmentFile]bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.until, func(f *segmentFile, _ time.Time) bool { return !files[f] })
	return len(s.until)
}

// fileGroups holds the row groups of one segment.
type fileGroups[R any] struct {
	file   *segmentFile
	groups []liveGroup[R]
}

// living returns the number of live rows of a row group.
func (g liveGroup[R]) living() int { return g.rows - g.dead.len() }

func (f *fileGroups[R]) dead() (dead, rows int) {
	for _, g := range f.groups {
		dead, rows = dead+g.dead.len(), rows+g.rows
	}
	return dead, rows
}

// filesOf returns the segments of a version, in order.
func filesOf[R any](v *version[R]) []*fileGroups[R] {
	var files []*fileGroups[R]
	for _, g := range v.groups {
		if len(files) == 0 || files[len(files)-1].file != g.file {
			files = append(files, &fileGroups[R]{file: g.file})
		}
		f := files[len(files)-1]
		f.groups = append(f.groups, g)
	}
	return files
}

// stale reports whether a row group of the segment has deferred removals, without which it must not be moved.
func (f *fileGroups[R]) stale() bool {
	return slices.ContainsFunc(f.groups, func(g liveGroup[R]) bool { return g.stale != nil })
}

// chooseMerge finds segments worth merging: one with many dead rows, several small ones of the same span, or many with
// few rows, which are to be consolidated.
func (t *table[R]) chooseMerge(v *version[R], fan int) (chosen []*fileGroups[R], consolidate bool) {
	bySpan := make(map[spanKey][]*fileGroups[R])
	files := slices.DeleteFunc(filesOf(v), func(f *fileGroups[R]) bool { return f.stale() || t.setAside.has(f.file) })
	for _, f := range files {
		if dead, rows := f.dead(); float64(dead) > rewriteShare*float64(rows) {
			return []*fileGroups[R]{f}, false
		}
		if len(f.groups) < t.options.MergeGroups {
			at := f.span()
			bySpan[at] = append(bySpan[at], f)
		}
	}
	for _, small := range bySpan {
		if len(small) < fan {
			continue
		}
		// Take the smallest first, as many as fit.
		slices.SortStableFunc(small, func(a, b *fileGroups[R]) int { return len(a.groups) - len(b.groups) })
		groups := 0
		for n, f := range small {
			if groups += len(f.groups); groups > t.options.MergeGroups {
				small = small[:n]
				break
			}
		}
		if len(small) >= 2 {
			return small, false
		}
	}
	return t.chooseFew(files), true
}

// mergeOnce merges one set of segments. It reports whether there was one to merge.
func (t *table[R]) mergeOnce(fan int) (merged bool, err error) {
	defer t.onFault(&err)()
	t.merging.Lock()
	defer t.merging.Unlock()
	if err := t.failure(); err != nil {
		return false, err
	}
	v := t.current.Load()
	chosen, consolidate := t.chooseMerge(v, fan)
	if chosen == nil {
		return false, nil
	}
	m := &merger[R]{table: t, old: chosen, consolidate: consolidate}
	if err := m.write(); err != nil {
		if m.reading == nil || hopeless(err) {
			return false, err
		}
		err = fmt.Errorf("cannot merge segment %s, %w: %w", m.reading.path, errSetAside, err)
		if t.setAside.add(m.reading) {
			t.options.Log.Error("cannot merge a segment; others are still merged, and this one is tried again every hour; run almanac "+
				"doctor",
				"table", t.schema.table, "segment", segmentName(m.reading.number), "error", err)
		}
		return false, err
	}
	if err := m.install(); err != nil {
		m.release()
		switch {
		case errors.Is(err, errStale):
			return true, m.discard() // it is chosen again when it is current
		case errors.Is(err, store.ErrDiskFull): // otherwise the manifest may name the segment nevertheless
			err = errors.Join(err, m.discard())
		}
		return false, err
	}
	t.merges.Add(1)
	for _, f := range chosen {
		for _, g := range f.groups {
			t.cache.forget(g.id)
		}
		if err := t.removeSegment(f.file.number); err != nil {
			t.options.Log.Warn("cannot remove a merged segment", "table", t.schema.table, "error", err)
		}
	}
	return true, nil
}

// merger merges several segments into one.
type merger[R any] struct {
	table       *table[R]
	old         []*fileGroups[R]
	consolidate bool // rewrite row groups with few rows
	number      int
	groups      []*rowGroup[R]
	// reading is the segment being read, to which a failure is due.
	reading *segmentFile
	// moved records, for each old row group in turn, where its rows went: the new row group, and for each row its new
	// number, -1 if it was dead. Nil rows mean that the row group was moved unchanged.
	moved []movedGroup
}

type movedGroup struct {
	group int
	rows  []int32
}

// discard removes the new segment, which is not going to be installed.
func (m *merger[R]) discard() error {
	if m.number == 0 {
		return nil
	}
	return m.table.removeSegment(m.number)
}

// write writes the new segment, or none if every row is dead.
func (m *merger[R]) write() error {
	t := m.table
	var index []indexEntry
	var rewritten []liveGroup[R]
	var rewrittenAt []int
	t.mu.Lock()
	m.number = t.next
	t.next++
	t.mu.Unlock()
	path := filepath.Join(t.directory, segmentName(m.number))
	t.options.failpoint("merge-write")
	err := t.options.disk.WriteFile(disk.MergedData, path, os.O_TRUNC, func(w io.Writer) (err error) {
		defer t.onFault(&err)()
		out := newCountingWriter(w)
		if _, err := out.Write([]byte(parquetMagic)); err != nil {
			return err
		}
		var groups []format.RowGroup
		var pages [][][]format.PageLocation
		for _, f := range m.old {
			m.reading = f.file
			footer, err := readFooter(f.file.file)
			if err != nil {
				return err
			}
			for _, g := range f.groups {
				if err := g.current(); err != nil {
					return err
				}
				m.moved = append(m.moved, movedGroup{group: len(groups)})
				// A row group with fewer columns than the table now has is rewritten as well: all row groups of a file
				// have the same columns.
				if float64(g.dead.len()) > rewriteShare*float64(g.rows) || g.columns < len(t.schema.columns) || m.consolidate &&
					t.hasFew(g) {
					rewritten, rewrittenAt = append(rewritten, g), append(rewrittenAt, len(m.moved)-1)
					continue
				}
				if g.ordinal >= len(footer.RowGroups) {
					return footerDamaged(g.rowGroup)
				}
				entry, group, locations, err := t.copyGroup(out, g.rowGroup, &footer.RowGroups[g.ordinal])
				if err != nil {
					return err
				}
				index, groups, pages = append(index, entry), append(groups, group), append(pages, locations)
			}
		}
		// Rewrite a few at a time, since their rows are held in memory.
		for len(rewritten) > 0 {
			n, living, bytes := 0, 0, int64(0)
			for n < len(rewritten) &&
				(n == 0 || living+rewritten[n].living() <= rewriteRows && bytes+rewritten[n].decoded() <= t.options.FlushBytes) {
				living, bytes = living+rewritten[n].living(), bytes+rewritten[n].decoded()
				n++
			}
			entry, group, locations, err := m.rewrite(out, rewritten[:n], rewrittenAt[:n], len(groups))
			if err != nil {
				return err
			}
			if entry.blob != nil {
				index, groups, pages = append(index, entry), append(groups, group), append(pages, locations)
			}
			rewritten, rewrittenAt = rewritten[n:], rewrittenAt[n:]
		}
		m.reading = nil
		return t.schema.writeFooter(out, groups, pages)
	})
	if err != nil {
		return fmt.Errorf("cannot write merged segment %s: %w", path, errors.Join(err, t.options.disk.Remove(path)))
	}
	if len(index) == 0 {
		m.number = 0
		return t.options.disk.Remove(path)
	}
	if err = t.writeIndex(m.number, indexFile(index)); err == nil {
		m.groups, err = t.openSegment(m.number)
	}
	if err != nil {
		return errors.Join(err, t.removeSegment(m.number))
	}
	return nil
}

// release closes the new segment, which nobody has seen.
func (m *merger[R]) release() {
	if len(m.groups) > 0 {
		m.groups[0].file.release()
	}
}

// The footer of a Parquet file has no checksum, and the old segments are removed at the end: it is trusted only where
// it agrees with the index.
func footerDamaged[R any](g *rowGroup[R]) error {
	return fmt.Errorf("the footer of segment %s does not match its index in row group %d: one of them is damaged", g.file.path, g.ordinal)
}

// end returns the offset at which a row group ends.
func (g *rowGroup[R]) end() int64 {
	end := g.base
	for n := range g.chunks {
		for _, at := range append([]location{g.chunks[n].dictionary}, g.chunks[n].pages...) {
			end = max(end, at.offset+int64(at.size))
		}
	}
	return end
}

// copyGroup copies a row group unchanged.
func (t *table[R]) copyGroup(
	out *countingWriter, g *rowGroup[R], meta *format.RowGroup,
) (indexEntry, format.RowGroup, [][]format.PageLocation, error) {
	if meta.NumRows != int64(g.rows) || len(meta.Columns) != fileColumn(g.columns) || meta.TotalCompressedSize != g.end()-g.base {
		return indexEntry{}, format.RowGroup{}, nil, footerDamaged(g)
	}
	shift := out.n - g.base
	if err := out.copyFrom(g.file.path, g.base, meta.TotalCompressedSize); err != nil {
		return indexEntry{}, format.RowGroup{}, nil, fmt.Errorf("cannot copy row group %d of segment %s: %w", g.ordinal, g.file.path, err)
	}
	moved := *meta
	moved.FileOffset += shift
	moved.Columns = slices.Clone(meta.Columns)
	locations := make([][]format.PageLocation, len(moved.Columns))
	for n := range moved.Columns {
		c := &moved.Columns[n]
		if c.OffsetIndexLength < 0 || int64(c.OffsetIndexLength) > g.file.size {
			return indexEntry{}, format.RowGroup{}, nil, footerDamaged(g)
		}
		encoded := make([]byte, c.OffsetIndexLength)
		if _, err := g.file.file.ReadAt(encoded, c.OffsetIndexOffset); err != nil {
			return indexEntry{}, format.RowGroup{}, nil, err
		}
		var offsets format.OffsetIndex
		if err := unmarshalThrift(encoded, &offsets); err != nil {
			return indexEntry{}, format.RowGroup{}, nil, fmt.Errorf("an offset index of segment %s is damaged: %w", g.file.path, err)
		}
		for i := range offsets.PageLocations {
			offsets.PageLocations[i].Offset += shift
		}
		locations[n] = offsets.PageLocations
		c.FileOffset += shift
		c.MetaData.DataPageOffset += shift
		if c.MetaData.DictionaryPageOffset != 0 {
			c.MetaData.DictionaryPageOffset += shift
		}
	}
	return indexEntry{g.blob, g.base + shift}, moved, locations, nil
}

// rewrite writes the live rows of row groups as one new row group.
func (m *merger[R]) rewrite(
	out *countingWriter, old []liveGroup[R], at []int, number int,
) (indexEntry, format.RowGroup, [][]format.PageLocation, error) {
	type origin struct{ moved, row int }
	var rows []placedRow[R]
	origins := make(map[*R]origin)
	for n, g := range old {
		m.reading = g.file
		moved := &m.moved[at[n]]
		moved.group, moved.rows = number, make([]int32, g.rows)
		reader := newRowReader(g.rowGroup, store.WantAll)
		defer reader.close()
		numbers, err := g.sequences()
		if err != nil {
			return indexEntry{}, format.RowGroup{}, nil, err
		}
		for _, p := range g.projects {
			for row := p.start; row < p.end; row++ {
				moved.rows[row] = -1
				if g.dead.has(row) {
					continue
				}
				r := new(R)
				if err := reader.fill(row, r); err != nil {
					return indexEntry{}, format.RowGroup{}, nil, err
				}
				rows = append(rows, placedRow[R]{project: p.project, row: r, seq: numbers[row]})
				origins[r] = origin{at[n], row}
			}
		}
	}
	m.reading = nil // everything that is needed was read
	if len(rows) == 0 {
		return indexEntry{}, format.RowGroup{}, nil, nil
	}
	m.table.schema.cluster(rows)
	for row, r := range rows {
		o := origins[r.row]
		m.moved[o.moved].rows[o.row] = int32(row)
	}
	g := &groupWriter[R]{schema: m.table.schema, rows: rows, out: out}
	if err := g.write(); err != nil {
		return indexEntry{}, format.RowGroup{}, nil, err
	}
	return indexEntry{g.buildIndex(g.textSections()), g.project.start}, g.rowGroup(), g.pageLocations(), nil
}

// errStale means that a removal was deferred while its segment was being merged.
var errStale = errors.New("a segment changed while it was being merged")

// install publishes the new segment in place of the old ones. Rows that died in the meantime are marked dead in it as
// well.
func (m *merger[R]) install() error {
	t := m.table
	t.options.failpoint("merge-install")
	t.mu.Lock()
	defer t.mu.Unlock()
	v := *t.current.Load()
	e := edit{Next: t.next}
	live := make([]liveGroup[R], len(m.groups))
	for n, g := range m.groups {
		live[n].rowGroup = g
	}
	if m.number != 0 {
		e.Add = []int{m.number}
	}
	old := make(map[*rowGroup[R]]int)
	for _, f := range m.old {
		e.Remove = append(e.Remove, f.file.number)
		for _, g := range f.groups {
			old[g.rowGroup] = len(old)
		}
	}
	var groups []liveGroup[R]
	for _, g := range v.groups {
		n, gone := old[g.rowGroup]
		if !gone {
			groups = append(groups, g)
			continue
		}
		if err := g.current(); err != nil {
			return fmt.Errorf("%w: %w", errStale, err)
		}
		m.markDeleted(g, m.moved[n], live)
	}
	v.groups = slices.Concat(groups, live)
	for _, g := range live {
		if g.dead != nil {
			t.dirty[g.rowGroup] = true
		}
	}
	e.Dead = t.dirtyRows(&v)
	if err := t.commitEdit(e); err != nil {
		for _, g := range m.groups {
			delete(t.dirty, g)
		}
		return err
	}
	t.publish(&v)
	return nil
}

// markDeleted carries the dead rows of an old row group over to the new ones.
func (m *merger[R]) markDeleted(g liveGroup[R], moved movedGroup, live []liveGroup[R]) {
	if g.dead.len() == 0 {
		return
	}
	if moved.rows == nil {
		live[moved.group].dead = g.dead
		return
	}
	for row, to := range moved.rows {
		if to < 0 || !g.dead.has(row) {
			continue
		}
		target := &live[moved.group]
		if target.dead == nil {
			target.dead = newBitset(target.rows)
		}
		target.dead.add(int(to))
	}
}
