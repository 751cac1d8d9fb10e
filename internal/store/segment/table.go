package segment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/disk"
	"almanac/internal/store"
)

// table is one table of the store: a directory with a manifest, log files and segments.
//
// All writes go through one goroutine, the committer: it writes all waiting records to the log as one frame, syncs it,
// applies them to memory and publishes a new version. Reads take the current version and need no lock. Another
// goroutine turns full hot tables into segments, and a third merges segments.
type table[R any] struct {
	schema    *schema[R]
	directory string
	scratch   string // where rebuilt indexes go, of a table that is only read; empty for others
	options   Options
	cache     *cache
	free      *freeSpace

	requests chan *request[R]
	stop     chan struct{} // closed to end the background work
	stopped  sync.WaitGroup
	merging  sync.Mutex // held while segments are merged
	setAside setAside

	removing  sync.Mutex
	unremoved []string     // unreferenced files that are still being read
	closing   sync.RWMutex // held for reading while a request is submitted
	closed    bool

	current atomic.Pointer[version[R]]

	// mu protects the fields below, and is held while versions change.
	mu       sync.Mutex
	log      *logFile
	manifest *manifest
	state    *tableState // contents of the manifest
	next     int         // number of the next file
	dirty    map[*rowGroup[R]]bool
	deferred deferredRemovals
	late     bool                  // a hot table is full, and another could not be started
	failed   atomic.Pointer[error] // after a failed sync nothing can be guaranteed
	changed  chan struct{}
	flushNow chan struct{}
	mergeNow chan struct{}

	flushes, merges, superseded, rowsRead atomic.Int64
	turn                                  chan struct{} // full while a writer waits for space
	flushed                               atomic.Int64  // hot bytes written so far by the current flush
}

// version is an immutable state of the table.
type version[R any] struct {
	seq    uint64
	groups []liveGroup[R]
	hot    []*hotTable[R] // oldest first; the last one is being written to
}

// liveGroup is a row group with its dead rows in a version.
type liveGroup[R any] struct {
	*rowGroup[R]
	dead *bitset
	// stale is why rows that should be dead are not: looking them up failed, and is yet to be repeated. It belongs to
	// the version, so that a reader never sees rows that were to be removed before its version.
	stale error
}

func (v *version[R]) active() *hotTable[R] { return v.hot[len(v.hot)-1] }

// request is a write for the committer.
type request[R any] struct {
	record  []byte // as written to the log; the committer fills in the sequence number
	project string
	rows    []*hotRow[R]     // of an append; sorted
	remove  *store.Selection // of a delete
	plan    planned[R]       // of a delete by time
	bytes   int64
	removed int
	done    chan error
}

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
		turn: make(chan struct{}, 1), requests: make(chan *request[R], 256), stop: make(chan struct{}),
		dirty: make(map[*rowGroup[R]]bool), changed: make(chan struct{}), flushNow: make(chan struct{}, 1), mergeNow: make(chan struct{}, 1),
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
		t.options.Log.Info("rebuilding the index of a segment written by an earlier version of Almanac", "table", t.schema.table, "segment", segmentName(number))
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
	l, err := createLog(t.options.disk, t.directory, t.next, t.current.Load().seq+1, t.options.point, func(id logID) error {
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

// publish makes a version the current one and wakes everyone waiting for a change.
func (t *table[R]) publish(v *version[R]) {
	t.current.Store(v)
	close(t.changed)
	t.changed = make(chan struct{})
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// commitLoop commits requests until the table is closed.
func (t *table[R]) commitLoop() {
	defer t.stopped.Done()
	for r := range t.requests {
		group := t.waiting(r)
		err := t.commit(group)
		for _, r := range group {
			r.done <- err
		}
	}
}

// The limits of a group commit. A record is at most half a frame, so that a group with one more always fits into one.
const (
	maxGroup      = 64
	maxGroupBytes = 64 << 20
)

// waiting returns a request and those that wait behind it, as many as are committed together.
func (t *table[R]) waiting(first *request[R]) []*request[R] {
	group, bytes := []*request[R]{first}, len(first.record)
	for len(group) < maxGroup && bytes < maxGroupBytes {
		select {
		case r, ok := <-t.requests:
			if !ok {
				return group
			}
			group, bytes = append(group, r), bytes+len(r.record)
		default:
			return group
		}
	}
	return group
}

// fail records that the log can no longer be trusted. The caller must hold mu.
func (t *table[R]) fail(err error) {
	if t.failure() == nil {
		failed := fmt.Errorf("table %s no longer accepts writes because its log failed; restart the server: %w", t.schema.table, err)
		t.failed.Store(&failed)
		t.options.Log.Error("a table no longer accepts writes; restart the server", "table", t.schema.table, "error", err)
		t.publish(t.current.Load()) // wakes everyone waiting for a change
	}
}

// failure returns the error recorded by fail. It takes no lock: a commit holds mu while it waits for the disk, and
// writers that check for space meanwhile must not block.
func (t *table[R]) failure() error {
	if failed := t.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// commit makes a group of requests durable and visible.
func (t *table[R]) commit(group []*request[R]) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.failure(); err != nil {
		return err
	}
	seq := t.current.Load().seq
	records := make([][]byte, len(group))
	for n, r := range group {
		records[n] = r.record
		putSeq(r.record, seq+uint64(n)+1)
	}
	if err := t.log.write(records); err != nil {
		if !errors.Is(err, store.ErrDiskFull) && !errors.Is(err, errFrameTooLarge) { // nothing is written then
			t.fail(err)
		}
		return err
	}
	if err := t.applyGuarded(group, seq+1); err != nil {
		t.fail(err)
		return err
	}
	if _, bytes := t.current.Load().active().size(); bytes >= t.options.FlushBytes && !t.late {
		_ = t.freeze() // these writes are done; failures are recorded
	}
	return nil
}

// applyGuarded is apply, but returns an error on a fault.
func (t *table[R]) applyGuarded(group []*request[R], seq uint64) (err error) {
	defer t.onFault(&err)()
	t.apply(group, seq)
	return nil
}

// freeze closes the current hot table, which becomes a segment in the background. If there is no space or file
// descriptor for a new log file, the table keeps using the current one, and flushLoop retries. The caller must hold mu.
func (t *table[R]) freeze() error {
	err := t.startLog(nil, nil)
	switch {
	case errors.Is(err, errNoLog) && !errors.Is(err, errLogStays):
		if !t.late {
			t.options.Log.Error("cannot create the next log file; retrying", "table", t.schema.table, "error", err)
		}
		t.late = true
		time.AfterFunc(time.Second, func() { wake(t.flushNow) })
	case err != nil:
		t.fail(err)
		err = t.failure()
	default:
		t.late = false
		wake(t.flushNow)
	}
	return err
}

// freezeLate retries a freeze that failed.
func (t *table[R]) freezeLate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.late && t.failure() == nil {
		_ = t.freeze() // it will be retried
	}
}

// apply applies requests to memory and publishes the resulting version. Only the committer and replay call it.
func (t *table[R]) apply(group []*request[R], seq uint64) {
	v := *t.current.Load()
	k := &tombstoner[R]{table: t, version: &v}
	for n, r := range group {
		at := seq + uint64(n)
		if r.remove != nil {
			k.plan = r.plan
			r.removed = k.markDeleted(r.project, r.remove, at)
			k.plan = nil
		} else {
			k.replace(r, at)
			v.active().add(r.project, r.rows, at, r.bytes)
		}
		if r.remove != nil {
			v.active().note(at, int64(len(r.record)))
		} else {
			v.active().note(at, 0)
		}
		v.seq = at
	}
	t.publish(&v)
}

// admit waits until there is space for a batch in memory. What a flush has written so far counts as free although its
// memory is not released yet, and space for one flush is reserved for that: writers proceed at the speed of the flush
// instead of waiting for its end. Waiting writers are admitted one at a time, in order of arrival.
func (t *table[R]) admit(ctx context.Context) error {
	if len(t.turn) == 0 {
		if ok, err := t.hasRoom(); ok || err != nil {
			return err
		}
	}
	deadline := time.NewTimer(t.options.BusyTimeout)
	defer deadline.Stop()
	again := time.NewTicker(5 * time.Millisecond) // the flush has made progress
	defer again.Stop()
	turn := t.turn
	for {
		select {
		case turn <- struct{}{}:
			turn = nil
			defer func() { <-t.turn }()
		case <-again.C:
		case <-deadline.C:
			return fmt.Errorf("%w: %d MB of table %s wait to be written", store.ErrBusy, t.hotBytes()>>20, t.schema.table)
		case <-ctx.Done():
			return ctx.Err()
		case <-t.stop:
			return store.ErrClosed
		}
		if turn == nil {
			if ok, err := t.hasRoom(); ok || err != nil {
				return err
			}
		}
	}
}

// hasRoom reports whether there is space for a batch in memory.
func (t *table[R]) hasRoom() (bool, error) {
	if err := t.failure(); err != nil {
		return false, err
	}
	return t.hotBytes()-t.flushed.Load() < t.options.HotBytes-t.options.FlushBytes, nil
}

// hotBytes returns the memory taken by rows that are not in segments yet.
func (t *table[R]) hotBytes() int64 {
	sum := int64(0)
	for _, h := range t.current.Load().hot {
		_, bytes := h.size()
		sum += bytes
	}
	return sum
}

// submit passes a request to the committer and waits until it is done.
func (t *table[R]) submit(r *request[R]) error {
	t.closing.RLock()
	if t.closed {
		t.closing.RUnlock()
		return store.ErrClosed
	}
	err := t.checkDeferred(r.project)
	if t.readOnly() {
		err = errReadOnly
	}
	if err != nil {
		t.closing.RUnlock()
		return err
	}
	t.requests <- r
	t.closing.RUnlock()
	return <-r.done
}

// close ends the background work and closes the files. Acknowledged writes are already on disk.
func (t *table[R]) close() error {
	t.closing.Lock()
	if t.closed {
		t.closing.Unlock()
		return nil
	}
	t.closed = true
	close(t.requests)
	t.closing.Unlock()
	close(t.stop)
	t.stopped.Wait()
	if t.options.noteEvery > 0 {
		if err := t.noteSynced(); err != nil {
			t.options.Log.Warn("cannot record how far the log reaches", "table", t.schema.table, "error", err)
		}
	}
	if t.readOnly() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return errors.Join(t.log.close(), t.manifest.close())
}

// view returns the current version, or an error if the table was closed.
func (t *table[R]) view() (*version[R], error) {
	select {
	case <-t.stop:
		return nil, store.ErrClosed
	default:
		return t.current.Load(), nil
	}
}
