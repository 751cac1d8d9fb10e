package segment

import (
	"cmp"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// hotRow is a row in memory. Its strings point into the record that was written to the log.
type hotRow[R any] struct {
	row     R
	project string
	millis  int64
	seq     uint64
	// dead is the sequence number of the write that replaced or deleted the row; 0 while it lives.
	dead atomic.Uint64
	// next is, for each indexed column, the next older row with the same string, or one with the same hash.
	next [maxNamed]*hotRow[R]
}

// visible reports whether a reader at sequence number seq sees the row.
func (h *hotRow[R]) visible(seq uint64) bool {
	if h.seq > seq {
		return false
	}
	dead := h.dead.Load()
	return dead == 0 || dead > seq
}

// maxNamed is the maximum number of indexed columns of a table.
const maxNamed = 5

// hotTable holds rows that are not in a segment yet. Rows are only added, by a single goroutine; many may read.
type hotTable[R any] struct {
	schema *schema[R]
	logs   []int // numbers of the log files that hold its rows

	mu       sync.RWMutex
	projects map[string]*hotProject[R]
	names    []map[uint64]*hotRow[R] // for each indexed column, the newest row by hash
	writes   []hotWrite[R]           // in order
	rows     int
	bytes    int64
	lastSeq  uint64 // of the last write in the log; 0 if there is none
}

// hotProject holds the rows of one project as sorted runs, largest first. Runs are immutable: two of similar size are
// replaced by a merged one, so that there are few, and a reader that holds some keeps its snapshot.
type hotProject[R any] struct {
	runs [][]*hotRow[R]
}

func newHotTable[R any](s *schema[R]) *hotTable[R] {
	t := &hotTable[R]{schema: s, projects: make(map[string]*hotProject[R]), names: make([]map[uint64]*hotRow[R], len(s.named))}
	for n := range t.names {
		t.names[n] = make(map[uint64]*hotRow[R])
	}
	return t
}

// hashKey returns the hash of a string within a project.
func hashKey(project, text string) uint64 {
	return xxhash.Sum64String(text) + 0x9e3779b97f4a7c15*xxhash.Sum64String(project)
}

// compareHot orders newest first; at equal positions the later write comes first.
func (t *hotTable[R]) compareHot(a, b *hotRow[R]) int {
	if a.millis != b.millis {
		if a.millis > b.millis {
			return -1
		}
		return 1
	}
	if c := comparePositions(t.schema.positionOf(&a.row), t.schema.positionOf(&b.row)); c != 0 {
		return c
	}
	if a.seq != b.seq {
		if a.seq > b.seq {
			return -1
		}
		return 1
	}
	return 0
}

// add adds the rows of one record, which must be sorted.
func (t *hotTable[R]) add(project string, rows []*hotRow[R], seq uint64, bytes int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, h := range rows {
		h.seq = seq
		t.link(h)
	}
	p := t.projects[project]
	if p == nil {
		p = new(hotProject[R])
		t.projects[project] = p
	}
	runs := append(slices.Clone(p.runs), rows)
	for len(runs) > 1 && len(runs[len(runs)-2]) < 2*len(runs[len(runs)-1]) {
		merged := t.mergeRuns(runs[len(runs)-2], runs[len(runs)-1])
		runs = append(runs[:len(runs)-2], merged)
	}
	p.runs = runs
	t.writes = append(t.writes, hotWrite[R]{seq, project, rows})
	t.rows += len(rows)
	t.bytes += bytes
}

// recordWrite records that a write of any kind is in the table's log, and the bytes it takes beside its rows: a log with
// nothing but deletes must be bounded as well.
func (t *hotTable[R]) recordWrite(seq uint64, bytes int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lastSeq = seq
	t.bytes += bytes
}

// reduced returns a table with the same log and only some of the rows, less those that are dead by now. Rows are copied,
// since those that read the table meanwhile follow the links between them.
func (t *hotTable[R]) reduced(rows []placedRow[R]) *hotTable[R] {
	rest := newHotTable(t.schema)
	rest.logs, rest.lastSeq = t.logs, t.lastSeq
	slices.SortStableFunc(rows, func(a, b placedRow[R]) int { return cmp.Compare(a.seq, b.seq) })
	byProject := make(map[string][]*hotRow[R])
	for _, r := range rows {
		if r.hot.dead.Load() != 0 {
			continue
		}
		h := &hotRow[R]{row: *r.row, project: r.project, millis: r.hot.millis, seq: r.hot.seq}
		rest.link(h)
		byProject[r.project] = append(byProject[r.project], h)
		if n := len(rest.writes); n == 0 || rest.writes[n-1].seq != h.seq {
			rest.writes = append(rest.writes, hotWrite[R]{seq: h.seq, project: h.project})
		}
		w := &rest.writes[len(rest.writes)-1]
		w.rows = append(w.rows, h)
		rest.rows++
		rest.bytes += int64(rowOverhead + t.schema.longBytes(&h.row))
	}
	for project, run := range byProject {
		slices.SortFunc(run, rest.compareHot)
		rest.projects[project] = &hotProject[R]{runs: [][]*hotRow[R]{run}}
	}
	return rest
}

// link adds a row to the chains of its names.
func (t *hotTable[R]) link(h *hotRow[R]) {
	for n, column := range t.schema.named {
		if text := *t.schema.columns[column].Text(&h.row); text != "" {
			key := hashKey(h.project, text)
			h.next[n] = t.names[n][key]
			t.names[n][key] = h
		}
	}
}

// empty reports whether the table's log has no writes.
func (t *hotTable[R]) empty() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.lastSeq == 0
}

func (t *hotTable[R]) mergeRuns(a, b []*hotRow[R]) []*hotRow[R] {
	merged := make([]*hotRow[R], 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if t.compareHot(a[0], b[0]) <= 0 {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// snapshot returns the current sorted runs of a project.
func (t *hotTable[R]) snapshot(project string) [][]*hotRow[R] {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if p := t.projects[project]; p != nil {
		return p.runs
	}
	return nil
}

// size returns how much the table holds.
func (t *hotTable[R]) size() (rows int, bytes int64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.rows, t.bytes
}

// find calls each for the rows of a project that are wanted and visible at seq.
func (t *hotTable[R]) find(wanted keyLookup, project string, seq uint64, each func(*hotRow[R])) {
	textOf := t.schema.columns[wanted.column].Text
	for _, text := range wanted.texts {
		n, h := t.chain(wanted.column, project, text)
		for ; h != nil; h = h.next[n] {
			if h.project == project && *textOf(&h.row) == text && h.visible(seq) {
				each(h)
			}
		}
	}
}

// supersede marks the row with the same key as h as replaced at seq. It reports whether there was one.
func (t *hotTable[R]) supersede(h *hotRow[R], seq uint64) bool {
	killed := false
	t.eachWithSameKey(h, seq, func(other *hotRow[R]) {
		other.dead.Store(seq)
		killed = true
	})
	return killed
}

// eachWithSameKey calls each for the other visible rows with the same key as h, and returns how many rows it looked at.
// Where the key is a trace and an id, it walks the chains of both in parallel until either ends: thousands of traces
// may share an id, and a trace may have thousands of rows.
func (t *hotTable[R]) eachWithSameKey(h *hotRow[R], seq uint64, each func(*hotRow[R])) int {
	s, looked := t.schema, 0
	look := func(other *hotRow[R]) {
		looked++
		if other != h && other.project == h.project && s.idOf(&other.row) == s.idOf(&h.row) &&
			(!s.keyedByTrace || s.traceOf(&other.row) == s.traceOf(&h.row)) && other.visible(seq) {
			each(other)
		}
	}
	id, ofID := t.chain(s.id, h.project, s.idOf(&h.row))
	if !s.keyedByTrace || s.traceOf(&h.row) == "" { // empty strings are not indexed
		for ; ofID != nil; ofID = ofID.next[id] {
			look(ofID)
		}
		return looked
	}
	trace, ofTrace := t.chain(s.trace, h.project, s.traceOf(&h.row))
	for ; ofID != nil && ofTrace != nil; ofID, ofTrace = ofID.next[id], ofTrace.next[trace] {
		look(ofID)
		look(ofTrace)
	}
	return looked
}

// chain returns the index of a column among the indexed columns, and the newest row with a string in it.
func (t *hotTable[R]) chain(column int, project, text string) (int, *hotRow[R]) {
	n := slices.Index(t.schema.named, column)
	t.mu.RLock()
	defer t.mu.RUnlock()
	return n, t.names[n][hashKey(project, text)]
}

// inRange returns the rows of a sorted run whose millisecond is in a time range.
func inRange[R any](run []*hotRow[R], from, to domain.Micros) []*hotRow[R] {
	if to != 0 {
		n := sort.Search(len(run), func(n int) bool { return run[n].millis <= to.Millis() })
		run = run[n:]
	}
	if from != 0 {
		n := sort.Search(len(run), func(n int) bool { return run[n].millis < from.Millis() })
		run = run[:n]
	}
	return run
}

// afterPosition returns the rows of a sorted run that come after a position.
func afterPosition[R any](s *schema[R], run []*hotRow[R], after *store.Position) []*hotRow[R] {
	if after == nil {
		return run
	}
	n, _ := slices.BinarySearchFunc(run, *after, func(h *hotRow[R], p store.Position) int {
		if c := comparePositions(s.positionOf(&h.row), p); c != 0 {
			return c
		}
		return -1 // the row at the position itself is left out
	})
	return run[n:]
}
