package segment

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

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
	mu           sync.Mutex
	log          *logFile
	manifest     *manifest
	state        *tableState // contents of the manifest
	next         int         // number of the next file
	dirty        map[*rowGroup[R]]bool
	deferred     deferredRemovals
	freezeFailed bool                  // a hot table is full, and another could not be started
	failed       atomic.Pointer[error] // after a failed sync nothing can be guaranteed
	changed      chan struct{}
	flushNow     chan struct{}
	mergeNow     chan struct{}

	flushes, merges, superseded, rowsRead atomic.Int64
	admission                             chan struct{} // full while a writer waits for space
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
