package segment

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/disk"
)

// openTable opens a table, replays its log and starts the background work.
func openTable[R any](s *schema[R], directory string, options Options, free *freeSpace) (*table[R], error) {
	t, err := loadTable(s, directory, options, free)
	if err != nil {
		return nil, err
	}
	t.stopped.Add(4)
	go t.commitLoop()
	go t.syncedLoop()
	go t.flushLoop()
	go t.mergeLoop()
	wake(t.flushNow)
	wake(t.mergeNow)
	return t, nil
}

// loadTable is openTable without the background work.
func loadTable[R any](s *schema[R], directory string, options Options, free *freeSpace) (*table[R], error) {
	if err := makeTable(options.disk, directory); err != nil {
		return nil, err
	}
	m, state, err := openManifest(directory, options)
	if err != nil {
		return nil, err
	}
	t := newTable(s, directory, options, free)
	t.manifest, t.state, t.next = m, state, max(1, state.next)
	if err := t.load(state); err != nil {
		return nil, errors.Join(m.addCause(err), m.close())
	}
	return t, nil
}

// makeTable makes the directory of a table, unless it exists.
func makeTable(d disk.Disk, directory string) error {
	// The directory of the store as well: the process that created it may have been killed before its name was synced.
	for _, path := range []string{filepath.Dir(directory), directory} {
		if err := d.MakeDirectories(disk.TableName, path); err != nil {
			return fmt.Errorf("cannot create the directory of table %s: %w", filepath.Base(directory), err)
		}
	}
	return nil
}

func newTable[R any](s *schema[R], directory string, options Options, free *freeSpace) *table[R] {
	return &table[R]{
		schema: s, directory: directory, options: options, cache: newCache(options.CacheBytes, options.SumsBytes), free: free,
		admission: make(chan struct{}, 1), requests: make(chan *request[R], 256), stop: make(chan struct{}),
		dirty: make(map[*rowGroup[R]]bool), changed: make(chan struct{}), flushNow: make(chan struct{}, 1),
		mergeNow: make(chan struct{}, 1),
	}
}

// read opens the segments and replays the log. It returns the log files that are there, and the numbers of those that
// are not needed.
func (t *table[R]) read(state *tableState) (logs []logID, unneeded []int, err error) {
	v := &version[R]{seq: state.horizon}
	for _, number := range state.segments {
		live, err := t.openLive(number, state)
		if err != nil {
			return nil, nil, err
		}
		v.groups = append(v.groups, live...)
	}
	t.current.Store(v)
	t.deferred.load(state)
	(&tombstoner[R]{table: t, version: v}).catchUpAll()
	return t.replay(state)
}

// load reads the table and prepares its files for writing.
func (t *table[R]) load(state *tableState) error {
	logs, unneeded, err := t.read(state)
	if err != nil {
		return err
	}
	// Only now is it certain that the manifest and the log match, and that nothing still needed is truncated or
	// removed.
	if err := t.manifest.tidy(t.directory, state); err != nil {
		return err
	}
	if state.format < formatVersion || state.store == "" && t.options.id != "" {
		e := edit{Format: formatVersion} // from here on, earlier versions refuse to open it
		if state.store == "" {
			e.Store = t.options.id
		}
		if err := t.manifest.append(e); err != nil {
			return err
		}
		if err := state.apply(e); err != nil {
			return err
		}
	}
	if err := t.startLog(logs, unneeded); err != nil {
		return err
	}
	// Only now are all edits that were read synced: a process may have been killed before it did that.
	if err := t.removeOrphans(state); err != nil {
		return err
	}
	for _, number := range unneeded {
		if err := t.options.disk.Remove(filepath.Join(t.directory, logName(number))); err != nil {
			return err
		}
	}
	return nil
}

// openLive opens the row groups of a segment, with their dead rows. An index of an earlier version is rebuilt.
func (t *table[R]) openLive(number int, state *tableState) ([]liveGroup[R], error) {
	groups, err := t.openSegment(number)
	if errors.Is(err, errEarlierIndex) {
		t.options.Log.Info("rebuilding the index of a segment written by an earlier version of Almanac", "table", t.schema.table, "segment",
			segmentName(number))
		indexDir := cmp.Or(t.scratch, t.directory)
		if err = rebuildInto(t.options.disk, t.directory, indexDir, number); err == nil {
			groups, err = t.openIndexed(number, indexDir)
		}
	}
	if err != nil {
		return nil, err
	}
	live := make([]liveGroup[R], len(groups))
	for n, g := range groups {
		live[n].rowGroup = g
		if rows, ok := state.dead[g.name()]; ok {
			if live[n].dead, err = readBitset(rows, g.rows); err != nil {
				return nil, fmt.Errorf("segment %s, row group %d: %w", g.file.path, n, err)
			}
		}
	}
	return live, nil
}

// removeOrphans removes files left over from a crash.
func (t *table[R]) removeOrphans(state *tableState) error {
	entries, err := os.ReadDir(t.directory)
	if err != nil {
		return err
	}
	known := map[string]bool{manifestName: true}
	for _, number := range state.segments {
		known[segmentName(number)], known[indexName(number)] = true, true
	}
	for _, e := range entries {
		name := e.Name()
		ours := strings.HasSuffix(name, ".parquet") || strings.HasSuffix(name, ".idx") || strings.HasSuffix(name, ".new")
		if known[name] || !ours {
			continue
		}
		if err := t.options.disk.Remove(filepath.Join(t.directory, e.Name())); err != nil {
			return fmt.Errorf("cannot remove a leftover file: %w", err)
		}
		t.options.Log.Info("removed a file left over from a crash", "table", t.schema.table, "file", e.Name())
	}
	return nil
}

// replay restores the writes that are in the log but not yet in segments, with a hot table for each log file. It
// returns the log files that are there, and the numbers of those that are not needed.
func (t *table[R]) replay(state *tableState) (logs []logID, unneeded []int, err error) {
	numbers, err := logNumbers(t.directory)
	if err != nil {
		return nil, nil, err
	}
	if err := state.checkLogs(t.directory, numbers); err != nil {
		return nil, nil, err
	}
	for n, number := range numbers {
		t.next = max(t.next, number+1)
		v := *t.current.Load()
		hot := newHotTable(t.schema)
		hot.logs = []int{number}
		v.hot = append(append([]*hotTable[R](nil), v.hot...), hot)
		t.current.Store(&v)
		m, err := t.replayLog(number, n == len(numbers)-1, state)
		if err != nil {
			return nil, nil, err
		}
		if hot.empty() { // everything in it is in segments
			v := *t.current.Load()
			v.hot = v.hot[:len(v.hot)-1]
			t.current.Store(&v)
			unneeded = append(unneeded, number)
		} else {
			logs = append(logs, logID{number, m})
		}
	}
	v := *t.current.Load()
	v.seq = state.after(v.seq)
	t.current.Store(&v)
	return logs, unneeded, state.checkEnd(t.directory, v.seq)
}

// replayLog replays one log file and returns its mark. An incomplete end of the last one is truncated.
func (t *table[R]) replayLog(number int, last bool, state *tableState) ([]byte, error) {
	path := filepath.Join(t.directory, logName(number))
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read log file: %w", err)
	}
	if err := state.checkHead(path, number, content); err != nil {
		return nil, err
	}
	size, err := eachRecord(path, content, last, func(record []byte) error {
		r, seq, err := t.readRecord(record)
		if err != nil || seq <= state.horizon {
			return err
		}
		if seen := state.after(t.current.Load().seq); seq > seen+1 {
			return missingWrites(seen+1, seq-1)
		}
		if r.remove == nil && len(r.rows) == 0 { // the start of a log file
			return nil
		}
		t.apply([]*request[R]{r}, seq)
		return nil
	})
	if err != nil || !last {
		return markIn(content), err
	}
	// Before its end is truncated.
	if err := state.checkEnd(t.directory, state.after(t.current.Load().seq)); err != nil {
		return nil, err
	}
	if t.readOnly() {
		return markIn(content), nil
	}
	return markIn(content), truncateAndSync(t.options.disk, path, size)
}

// startLog starts a new log file with a new hot table. The manifest names the log before it is used, and the logs that
// are there beside it; dropped are no longer needed.
func (t *table[R]) startLog(beside []logID, dropped []int) error {
	l, err := createLog(t.options.disk, t.directory, t.next, t.current.Load().seq+1, t.options.failpoint, func(id logID) error {
		return t.appendEdit(edit{Logs: append(beside, id), Dropped: dropped, Synced: t.current.Load().seq, Next: t.next + 1})
	})
	if err != nil {
		return err
	}
	t.next++
	if t.log != nil {
		if err := t.log.close(); err != nil {
			return err
		}
	}
	t.log = l
	hot := newHotTable(t.schema)
	hot.logs = []int{l.number}
	v := *t.current.Load()
	v.hot = append(append([]*hotTable[R](nil), v.hot...), hot)
	t.publish(&v)
	return nil
}
