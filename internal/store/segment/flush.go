package segment

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go/format"

	"almanac/internal/disk"
	"almanac/internal/platform"
	"almanac/internal/store"
)

// flushLoop turns frozen hot tables into segments, oldest first, until the table is closed. What cannot be written is
// tried again after a pause; tables that are frozen meanwhile do not wait for that.
func (t *table[R]) flushLoop() {
	defer t.stopped.Done()
	pause, again, tried := time.Duration(0), time.Now(), uint64(0)
	for {
		wait := time.Minute
		if pause > 0 {
			wait = time.Until(again)
		}
		select {
		case <-t.stop:
			return
		case <-t.flushNow:
		case <-time.After(wait):
		}
		t.retryFreeze()
		if pause > 0 && !time.Now().Before(again) {
			tried = 0
		}
		for frozen := t.frozenAfter(tried); len(frozen) > 0; frozen = t.frozenAfter(tried) {
			last, err := frozen[len(frozen)-1].lastSeq, t.flushTables(frozen)
			if err == nil && tried == 0 {
				pause = 0
				continue
			}
			tried = last
			if err == nil {
				continue
			}
			// The rows stay in memory and in the log; writers block when there are too many.
			t.options.Log.Error("cannot write a segment; retrying", "table", t.schema.table, "error", err)
			pause = min(max(2*pause, 100*time.Millisecond), 10*time.Second)
			again = time.Now().Add(pause)
			if platform.OutOfFiles(err) {
				runtime.GC() // closes segments that were merged and that nobody reads any more
			}
			select {
			case <-t.stop:
				return
			default:
			}
		}
		if len(t.frozenAfter(0)) == 0 {
			pause = 0
		}
	}
}

// frozenAfter returns the hot tables that are no longer written to and that have later writes than the given one.
func (t *table[R]) frozenAfter(seq uint64) []*hotTable[R] {
	hot := t.current.Load().hot
	frozen := hot[:len(hot)-1]
	for len(frozen) > 0 && frozen[0].lastSeq <= seq {
		frozen = frozen[1:]
	}
	return frozen
}

// flushTables writes hot tables as segments. If one cannot be written, or a part of it, the others are written
// nevertheless: rows that cannot be written must not keep others in memory.
func (t *table[R]) flushTables(tables []*hotTable[R]) error {
	failures := t.failure()
	for _, hot := range tables {
		if hopeless(failures) || t.failure() != nil {
			break
		}
		if rows, _ := hot.size(); rows == 0 && t.current.Load().hot[0] != hot {
			continue // there is nothing to write, and its log cannot be removed before earlier ones
		}
		failures = errors.Join(failures, t.flushTable(hot))
	}
	return failures
}

// hopeless reports whether other segments cannot be written either.
func hopeless(err error) bool {
	return errors.Is(err, store.ErrDiskFull) || platform.DiskFull(err) || platform.OutOfFiles(err)
}

// flushTable writes a hot table as segments. Rows that cannot be written stay in it, and in the log.
func (t *table[R]) flushTable(hot *hotTable[R]) (err error) {
	defer t.onFault(&err)()
	defer t.flushed.Store(0)
	if err := t.failure(); err != nil {
		return err
	}
	var living []placedRow[R]
	texts := 1
	for _, project := range slices.Sorted(maps.Keys(hot.projects)) { // nobody adds to a frozen table
		for _, run := range hot.projects[project].runs {
			for _, h := range run {
				if h.dead.Load() == 0 {
					living = append(living, placedRow[R]{project, &h.row, h, int64(h.seq)})
					texts += t.schema.longBytes(&h.row)
				}
			}
		}
	}
	_, bytes := hot.size()
	// Most of the time is spent on long strings; the rest is assumed to be spread evenly over columns.
	progress := func(values, text int) {
		part := 0.2*float64(values)/float64(len(living)*len(t.schema.columns)) + 0.8*float64(text)/float64(texts)
		t.flushed.Add(int64(part * float64(bytes)))
	}
	var built []*builtSegment[R]
	var failures error
	var unwritten []placedRow[R]
	for _, rows := range t.divide(living) {
		if hopeless(failures) {
			unwritten = append(unwritten, rows...)
			continue
		}
		b, err := t.buildSegment(rows, progress)
		if err != nil {
			failures, unwritten = errors.Join(failures, err), append(unwritten, rows...)
			continue
		}
		built = append(built, b)
	}
	if failures != nil && len(built) == 0 {
		return failures
	}
	removable, err := t.install(hot, built, unwritten)
	if errors.Is(err, store.ErrDiskFull) {
		return errors.Join(failures, err, t.discard(built))
	}
	if err != nil {
		for _, b := range built {
			b.release() // but not removed: the manifest may name the segments nevertheless
		}
		return errors.Join(failures, err)
	}
	for _, number := range removable {
		t.options.failpoint("log-remove")
		if err := t.removeFiles(logName(number)); err != nil {
			t.options.Log.Warn("cannot remove a log file that is no longer needed", "table", t.schema.table, "error", err)
		}
	}
	wake(t.mergeNow)
	return failures
}

// builtSegment is a segment that was written but not installed yet.
type builtSegment[R any] struct {
	number int
	rows   []placedRow[R]
	groups []*rowGroup[R]
}

// longBytes returns the size of a row's long columns.
func (s *schema[R]) longBytes(r *R) int {
	size := 0
	for _, text := range s.long {
		size += len(*text(r))
	}
	return size
}

// textBytes returns the size of all texts of a row.
func (s *schema[R]) textBytes(r *R) int {
	size := 0
	for n := range s.columns {
		switch c := &s.columns[n]; c.class {
		case classShort, classID, classLong:
			size += len(*c.Text(r))
		case classList:
			for _, item := range *c.List(r) {
				size += len(item)
			}
		}
	}
	return size
}

// buildSegment durably writes a segment with one row group, and its index. It calls progress with the number of values
// and the bytes of long strings written.
func (t *table[R]) buildSegment(rows []placedRow[R], progress func(values, text int)) (*builtSegment[R], error) {
	t.schema.cluster(rows)
	t.mu.Lock()
	number := t.next
	t.next++
	t.mu.Unlock()
	var index []byte
	path := filepath.Join(t.directory, segmentName(number))
	t.options.failpoint("segment-write")
	err := t.options.disk.WriteFile(disk.SegmentData, path, os.O_TRUNC, func(w io.Writer) error {
		g := &groupWriter[R]{schema: t.schema, rows: rows, out: newCountingWriter(w), progress: progress}
		indexed := make(chan textSections, 1)
		go func() { indexed <- g.textSections() }() // takes as long as everything else, and only needs the rows
		if _, err := g.out.Write([]byte(parquetMagic)); err != nil {
			return err
		}
		err := g.write()
		texts := <-indexed
		if err != nil {
			return err
		}
		index = indexFile([]indexEntry{{g.buildIndex(texts), g.project.start}})
		return t.schema.writeFooter(g.out, []format.RowGroup{g.rowGroup()}, [][][]format.PageLocation{g.pageLocations()})
	})
	if err != nil {
		return nil, fmt.Errorf("cannot write segment %s: %w", path, errors.Join(err, t.options.disk.Remove(path)))
	}
	var groups []*rowGroup[R]
	if err = t.writeIndex(number, index); err == nil {
		groups, err = t.openSegment(number)
	}
	if err != nil {
		return nil, errors.Join(err, t.removeSegment(number))
	}
	return &builtSegment[R]{number, rows, groups}, nil
}

func (t *table[R]) writeIndex(number int, index []byte) error {
	t.options.failpoint("index-write")
	if err := t.options.disk.WriteFile(disk.IndexData, filepath.Join(t.directory, indexName(number)), os.O_TRUNC, func(w io.Writer) error {
		_, err := w.Write(index)
		return err
	}); err != nil {
		return fmt.Errorf("cannot write the index of segment %d: %w", number, err)
	}
	return t.options.disk.SyncDirectory(disk.SegmentNames, t.directory)
}

// openSegment opens the row groups of a segment.
func (t *table[R]) openSegment(number int) ([]*rowGroup[R], error) {
	return t.openIndexed(number, t.directory)
}

// openIndexed opens a segment whose index is in the given directory.
func (t *table[R]) openIndexed(number int, indexDir string) ([]*rowGroup[R], error) {
	f, err := openSegmentFile(t.directory, indexDir, number)
	if err != nil {
		return nil, err
	}
	groups, err := openRowGroups(t.schema, f, t.cache)
	if err != nil {
		f.release()
	}
	return groups, err
}

// indexEntry is the blob of a row group and the offset that its page offsets are relative to.
type indexEntry struct {
	blob []byte
	base int64
}

// indexChecksum returns the checksum of the head of an index: everything before the blobs except the checksum itself.
func indexChecksum(head []byte) uint32 {
	return crc32.Update(crc32.Checksum(head[:12], castagnoli), castagnoli, head[16:])
}

// indexFile returns the index of a segment, given the blobs of its row groups.
func indexFile(entries []indexEntry) []byte {
	offset := 16 + 24*len(entries)
	size := offset
	for _, e := range entries {
		size += (len(e.blob) + 7) &^ 7
	}
	b := append(make([]byte, 0, size), indexMagic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(entries)))
	b = append(b, 0, 0, 0, 0) // the checksum
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint64(b, uint64(offset))
		b = binary.LittleEndian.AppendUint64(b, uint64(len(e.blob)))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.base))
		offset += (len(e.blob) + 7) &^ 7
	}
	binary.LittleEndian.PutUint32(b[12:], indexChecksum(b))
	for _, e := range entries {
		b = align(append(b, e.blob...), 8)
	}
	return b
}

// install publishes segments in place of the rows of a hot table that they were built from; the unwritten ones stay in
// it. It returns the log files that are no longer needed: those of the table, if all writes up to its last are in
// segments now. Otherwise they are replayed after a restart, and the replayed rows replace those in the segments.
func (t *table[R]) install(hot *hotTable[R], built []*builtSegment[R], unwritten []placedRow[R]) (logs []int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := *t.current.Load()
	e := edit{Next: t.next, Synced: v.seq}
	at := slices.Index(v.hot, hot)
	complete := at == 0 && len(unwritten) == 0
	if complete {
		e.Horizon, e.Dropped = hot.lastSeq, hot.logs
	}
	v.groups = slices.Clone(v.groups)
	for _, b := range built {
		e.Add = append(e.Add, b.number)
		live := liveGroup[R]{rowGroup: b.groups[0]}
		for row, r := range b.rows {
			// Replaced or deleted while the segment was being written.
			if r.hot.dead.Load() != 0 {
				if live.dead == nil {
					live.dead = newBitset(len(b.rows))
				}
				live.dead.add(row)
				t.dirty[live.rowGroup] = true
			}
		}
		v.groups = append(v.groups, live)
	}
	e.Dead = t.dirtyRows(&v)
	if err := t.commitEdit(e); err != nil {
		for _, b := range built {
			delete(t.dirty, b.groups[0])
		}
		return nil, err
	}
	v.hot = slices.Clone(v.hot)
	if complete {
		v.hot, logs = v.hot[1:], hot.logs
	} else {
		v.hot[at] = hot.reduced(unwritten)
	}
	t.flushes.Add(1) // before those waiting for the flush are woken
	t.publish(&v)
	return logs, nil
}

// commitEdit makes an edit take effect. The edit must include all dead rows that are not in the manifest yet. After
// store.ErrDiskFull nothing has changed. The caller must hold mu.
func (t *table[R]) commitEdit(e edit) error {
	t.deferred.addTo(&e)
	if err := t.appendEdit(e); err != nil {
		return err
	}
	clear(t.dirty)
	t.deferred.saved()
	return nil
}

// appendEdit appends an edit to the manifest. After store.ErrDiskFull nothing has changed. The caller must hold mu.
func (t *table[R]) appendEdit(e edit) error {
	if err := t.failure(); err != nil { // an edit after a partially written one would be unreadable
		return err
	}
	err := t.manifest.append(e)
	if errors.Is(err, store.ErrDiskFull) {
		return err
	}
	if err == nil {
		if err = t.state.apply(e); err == nil {
			err = t.manifest.tidy(t.directory, t.state)
		}
	}
	if errors.Is(err, errNotTidy) {
		t.options.Log.Warn("cannot compact a manifest; still using the longer one", "table", t.schema.table, "error", err)
		err = nil
	}
	if err != nil {
		t.fail(err)
	}
	return err
}

// dirtyRows returns the dead rows that are not in the manifest yet.
func (t *table[R]) dirtyRows(v *version[R]) []deadRows {
	var all []deadRows
	for _, live := range v.groups {
		if t.dirty[live.rowGroup] {
			all = append(all, deadRows{live.file.number, live.ordinal, live.dead.encode()})
		}
	}
	return all
}

// release closes the files of a segment that nobody else has seen.
func (b *builtSegment[R]) release() { b.groups[0].file.release() }

// discard removes segments that are not going to be installed.
func (t *table[R]) discard(built []*builtSegment[R]) error {
	var err error
	for _, b := range built {
		b.release()
		err = errors.Join(err, t.removeSegment(b.number))
	}
	return err
}

func (t *table[R]) removeSegment(number int) error {
	return t.removeFiles(segmentName(number), indexName(number))
}

// removeFiles removes files that are no longer referenced. On Windows, a file that is being read cannot be removed, and
// it stays mapped until it is unreachable: removal is retried along with the next files, and at the latest when the
// table is opened.
func (t *table[R]) removeFiles(names ...string) error {
	t.removing.Lock()
	defer t.removing.Unlock()
	names = append(t.unremoved, names...)
	t.unremoved = nil
	var errs error
	for _, name := range names {
		err := t.options.disk.Remove(filepath.Join(t.directory, name))
		switch {
		case platform.InUse(err):
			t.unremoved = append(t.unremoved, name)
		case !errors.Is(err, os.ErrNotExist):
			errs = errors.Join(errs, err)
		}
	}
	return errs
}

// flush writes everything in memory as segments and waits until that is done.
func (t *table[R]) flush(ctx context.Context) error {
	if _, err := t.view(); err != nil {
		return err
	}
	t.mu.Lock()
	if t.failure() == nil && !t.current.Load().active().empty() { // a failed log may end mid-frame and must stay the last one
		if err := t.freeze(); err != nil {
			t.mu.Unlock()
			return err
		}
	}
	t.mu.Unlock()
	for {
		t.mu.Lock()
		changed, failed, hot := t.changed, t.failure(), len(t.current.Load().hot)
		t.mu.Unlock()
		if failed != nil || hot == 1 {
			return failed
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-t.stop:
			return store.ErrClosed
		}
	}
}
