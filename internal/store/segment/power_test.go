package segment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/test/powerloss"
)

// powerState holds the rows of a table, as JSON by key.
type powerState map[string]string

// powerRun is a table that is written to while its disk is recorded. Everything is determined by a seed: background
// work runs in the same goroutine as the rest, between writes and nested within each other.
type powerRun struct {
	t        *testing.T
	random   *rand.Rand
	root     string
	scratch  string
	recorder *powerloss.Recorder
	table    *table[domain.Score]
	within   bool // in a flush or merge that writes may interrupt
	writes   int
	// allowed are the states that the table may be in: the acknowledged one and those in progress, in order.
	allowed []powerState
	bounds  []powerBound
}

// powerBound holds the states allowed from a change on.
type powerBound struct {
	change  int
	allowed []powerState
}

const powerProject = "p"

func newPowerRun(t *testing.T, seed uint64) *powerRun {
	return &powerRun{
		t: t, random: rand.New(rand.NewPCG(seed, 0)), root: powerloss.TempDir(t), scratch: powerloss.TempDir(t), allowed: []powerState{{}},
	}
}

func powerTable(root string) string { return filepath.Join(root, "events", "scores") }

func powerOptions(d disk.Disk) Options {
	return Options{CacheBytes: 1 << 20, MergeGroups: 4, MinFreeDisk: 1, disk: d, manifestLimit: 600}.withDefaults()
}

// record starts recording.
func (r *powerRun) record() {
	r.t.Helper()
	r.recorder = powerloss.Record(r.t, r.root)
	r.bounds = []powerBound{{0, r.allowed}}
}

// epoch records a number of steps, starting with opening the table.
func (r *powerRun) epoch(steps int) {
	r.t.Helper()
	r.record()
	for kill := true; kill; {
		if kill = r.random.IntN(2) == 0; kill {
			r.recorder.KillAt(r.recorder.Len() + r.random.IntN(15))
		}
		kill = r.survives(r.open)
		r.recorder.KillAt(-1)
	}
	for range steps {
		if r.random.IntN(6) == 0 {
			r.recorder.KillAt(r.recorder.Len() + r.random.IntN(20))
		} else if r.random.IntN(6) == 0 {
			r.recorder.Limit(int64(r.random.IntN(1 << r.random.IntN(13))))
		}
		killed := r.survives(r.step)
		r.recorder.KillAt(-1)
		r.recorder.Limit(-1)
		if killed {
			r.open()
		}
	}
}

// survives runs something that may be killed, and reports whether it was.
func (r *powerRun) survives(do func()) (killed bool) {
	defer func() {
		switch p := recover(); p.(type) {
		case nil:
		case powerloss.Killed:
			killed, r.within = true, false
		default:
			panic(p)
		}
	}()
	do()
	return false
}

func (r *powerRun) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// open opens the table. Writes that were in progress and turn out to be kept are durable from then on.
func (r *powerRun) open() {
	r.t.Helper()
	options := powerOptions(r.recorder.Disk())
	options.failpoint = r.point
	var err error
	r.table, err = loadTable(scoreSchema(), powerTable(r.root), options, &freeSpace{directory: r.root})
	r.must(err)
	state, err := powerRows(r.table)
	r.must(err)
	if !slices.ContainsFunc(r.allowed, func(s powerState) bool { return maps.Equal(s, state) }) {
		r.t.Fatalf("the table holds %d rows, which was not to be expected", len(state))
	}
	r.allow(state)
}

func (r *powerRun) allow(states ...powerState) {
	r.allowed = states
	r.bounds = append(r.bounds, powerBound{r.recorder.Len(), states})
}

// allowedAt returns the states allowed after a number of changes.
func (r *powerRun) allowedAt(changes int) []powerState {
	n, _ := slices.BinarySearchFunc(r.bounds, changes+1, func(b powerBound, changes int) int { return b.change - changes })
	return r.bounds[n-1].allowed
}

// step performs a random operation.
func (r *powerRun) step() {
	switch kind := r.random.IntN(13); {
	case kind < 6:
		r.write()
	case kind < 9:
		r.flush()
	case kind < 11:
		r.merge()
	case kind < 12:
		r.mayBeFull(r.table.noteSynced())
	default: // a restart
		r.recorder.Limit(-1) // it may fail with a full disk
		r.must(r.table.close())
		r.open()
	}
}

// point runs writes in the middle of flushes and merges.
func (r *powerRun) point(name string) {
	switch name {
	case "segment-write", "index-write", "merge-write", "merge-install", "log-remove":
		if r.within && r.random.IntN(3) == 0 {
			r.within = false
			r.write()
			r.within = true
		}
	}
}

// mayBeFull fails the test for an error that is not a full disk.
func (r *powerRun) mayBeFull(err error) {
	r.t.Helper()
	if err != nil && !errors.Is(err, syscall.ENOSPC) {
		r.t.Fatal(err)
	}
}

func (r *powerRun) merge() {
	r.within = true
	_, err := r.table.mergeOnce(2)
	r.within = false
	r.mayBeFull(err)
}

// flush writes everything in memory as segments.
func (r *powerRun) flush() {
	if !r.table.current.Load().active().empty() {
		r.table.mu.Lock()
		err := r.table.freeze()
		r.table.mu.Unlock()
		r.mayBeFull(err)
	}
	for len(r.table.current.Load().hot) > 1 {
		r.within = true
		err := r.table.flushTables(r.table.frozenAfter(0))
		r.within = false
		if r.mayBeFull(err); err != nil {
			return // it stays in memory, for the next flush
		}
	}
}

// write commits a group of appends and deletes.
func (r *powerRun) write() {
	r.t.Helper()
	writes := make([]powerWrite, 1+r.random.IntN(2))
	for n := range writes {
		writes[n] = []powerWrite{appendRows, appendRows, appendRows, deleteSome, deleteAll}[r.random.IntN(5)]
	}
	r.commit(writes...)
}

// powerWrite is a kind of write.
type powerWrite int

const (
	appendRows powerWrite = iota
	deleteSome
	deleteAll // leaves segments without live rows
)

// commit commits a group of writes.
func (r *powerRun) commit(writes ...powerWrite) {
	r.t.Helper()
	before := r.allowed[len(r.allowed)-1]
	states := []powerState{before}
	var group []*request[domain.Score]
	for _, kind := range writes {
		r.writes++
		state := maps.Clone(states[len(states)-1])
		if kind != appendRows {
			s := store.Selection{IDs: []string{r.id(), r.id(), r.id()}}
			if kind == deleteAll {
				s = store.Selection{All: true}
			}
			if r.random.IntN(2) == 0 { // a window of everything
				s.Arrived = &store.Window{After: -1, UpTo: math.MaxInt64}
			}
			maps.DeleteFunc(state, func(id, _ string) bool { return s.All || slices.Contains(s.IDs, id) })
			group = append(group, r.table.newDelete(powerProject, s))
		} else {
			rows := make([]domain.Score, 1+r.random.IntN(3))
			for n := range rows {
				rows[n] = r.row()
				state[rows[n].ID] = powerContent(&rows[n])
			}
			request, err := r.table.newAppend(powerProject, rows)
			r.must(err)
			group = append(group, request)
		}
		states = append(states, state)
	}
	r.allow(states...)
	switch err := r.table.commit(group); {
	case err == nil:
		r.allow(states[len(states)-1])
	case errors.Is(err, store.ErrDiskFull):
		r.allow(before)
	default:
		r.t.Fatal(err)
	}
}

func (r *powerRun) id() string { return fmt.Sprintf("score-%d", r.random.IntN(40)) }

func (r *powerRun) row() domain.Score {
	day := domain.Micros(r.random.IntN(2)) * 86_400_000_000
	text := make([]byte, r.random.IntN(1200))
	for n := range text {
		text[n] = byte('a' + r.random.IntN(26))
	}
	return domain.Score{
		ID: r.id(), TraceID: "t", Timestamp: 1_700_000_000_000_000 + day, Name: "quality",
		Value: domain.FloatOf(float64(r.writes)), Comment: string(text),
	}
}

func powerContent(s *domain.Score) string {
	content, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(content)
}

// powerRows returns the rows of a table.
func powerRows(t *table[domain.Score]) (powerState, error) {
	state := powerState{}
	for row, err := range t.Scan(context.Background(), domain.OfProject(powerProject), store.Query[domain.Score]{Want: store.WantAll}) {
		if err != nil {
			return nil, err
		}
		key := strings.Clone(row.ID)
		if state[key] != "" {
			return nil, fmt.Errorf("row %s is there twice", key)
		}
		state[key] = powerContent(row)
	}
	return state, nil
}

// unsynced returns a disk that skips syncs.
func unsynced() disk.Disk {
	return disk.Watched(func(c *disk.Change, do func() error) error {
		if c.Kind == disk.Sync || c.Kind == disk.SyncDirectory {
			return nil
		}
		return do()
	})
}

// check simulates a power failure after a number of changes and returns what is wrong with the result.
func (r *powerRun) check(changes int, random *rand.Rand, without disk.Site) (err error) {
	r.t.Helper()
	root := filepath.Join(r.scratch, "after")
	r.recorder.Crash(r.t, changes, random, without, root)
	defer os.RemoveAll(root)
	directory := powerTable(root)
	if random.IntN(3) == 0 { // it is slow
		var found Findings
		if err := verifyTable(scoreSchema(), directory, newWalk(nil), &found); err != nil {
			return err
		}
		if len(found.Faults) > 0 {
			return errors.New("found in verification: " + strings.Join(found.Faults, "; "))
		}
	}
	after := &powerRun{t: r.t, random: random, root: root, writes: 1_000_000, allowed: r.allowedAt(changes)}
	for range 2 { // the second opening must cope with what the first did
		after.table, err = loadTable(scoreSchema(), directory, powerOptions(unsynced()), &freeSpace{directory: root})
		if err != nil {
			return err
		}
		state, err := powerRows(after.table)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(after.allowed, func(s powerState) bool { return maps.Equal(s, state) }) {
			return fmt.Errorf("%d rows, which is none of the %d states that are allowed: %s", len(state), len(after.allowed),
				powerDiff(after.allowed[0], state))
		}
		if random.IntN(4) > 0 {
			return after.table.close()
		}
		// Check that it accepts more writes.
		after.recorder = new(powerloss.Recorder) // allowed states are not looked up by change here
		after.allowed = []powerState{state}
		after.write()
		after.flush()
		if err := after.table.close(); err != nil {
			return err
		}
	}
	return nil
}

func powerDiff(want, got powerState) string {
	var parts []string
	for key := range want {
		if got[key] == "" {
			parts = append(parts, key+" is lost")
		} else if got[key] != want[key] {
			parts = append(parts, key+" is another")
		}
	}
	for key := range got {
		if want[key] == "" {
			parts = append(parts, key+" should not be there")
		}
	}
	return strings.Join(parts, ", ")
}

// fail ends an epoch with a power failure at a random change; the next one begins with what is left.
func (r *powerRun) fail() {
	r.t.Helper()
	changes := r.recorder.Len() - r.random.IntN(min(20, r.recorder.Len()))
	r.allowed = r.allowedAt(changes)
	root := filepath.Join(powerloss.TempDir(r.t), "next")
	r.recorder.Crash(r.t, changes, r.random, "", root)
	r.root = root
}

// TestPowerLoss lets the power fail after every change that a table makes to its disk, and opens what is left.
func TestPowerLoss(t *testing.T) {
	seed := powerloss.Seed(t)
	began, losses := time.Now(), 0
	for round := range powerloss.Rounds(t, 2) {
		r := newPowerRun(t, seed+uint64(round))
		for epoch := range 4 {
			r.epoch(20)
			for changes := range r.recorder.Len() + 1 {
				losses++
				random := rand.New(rand.NewPCG(seed+uint64(round), uint64(epoch<<32|changes)))
				if err := r.check(changes, random, ""); err != nil {
					t.Fatalf("round %d, behind change %d: %v\n%s", round, changes, err, r.recorder.Last(changes, 40))
				}
			}
			r.fail()
		}
	}
	t.Logf("the power failed %d times in %v", losses, time.Since(began).Round(time.Millisecond))
}

// TestDirectoryOfTheStoreIsSynced checks that if a process is killed after creating the directory of the store, the
// next one syncs its name.
func TestDirectoryOfTheStoreIsSynced(t *testing.T) {
	for seed := range uint64(20) {
		r := newPowerRun(t, seed)
		r.record()
		r.recorder.KillAt(1)
		if !r.survives(r.open) {
			t.Fatal("nothing was killed")
		}
		r.recorder.KillAt(-1)
		r.open()
		r.commit(appendRows)
		if err := r.check(r.recorder.Len(), rand.New(rand.NewPCG(seed, 1)), ""); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, r.recorder.Last(r.recorder.Len(), 40))
		}
	}
}
