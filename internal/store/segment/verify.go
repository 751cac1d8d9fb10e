package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"almanac/internal/disk"
)

// Progress receives the progress of a long operation: done of total files, and the next file. The total can grow.
type Progress func(done, total int, what string)

// walk counts files for Progress.
type walk struct {
	progress    Progress
	done, total int
}

func newWalk(p Progress) *walk {
	if p == nil {
		p = func(int, int, string) {}
	}
	return &walk{progress: p, done: -1}
}

// expect adds files to the total.
func (w *walk) expect(files int) { w.total += files }

// step starts the next file.
func (w *walk) step(what string) {
	w.done++
	w.total = max(w.total, w.done+1)
	w.progress(w.done, w.total, what)
}

// Findings is the result of Verify.
type Findings struct {
	// Faults are descriptions of everything that is wrong.
	Faults []string
	// Indexes is how many of the faults are in index files, which Repair rebuilds.
	Indexes int
	// Deferred is how many of the faults are deletes and replacements that were not applied yet. Repair applies them
	// where the segment can be read.
	Deferred int
	// Losses is how many of the faults are in logs, so that acknowledged writes are missing. AcceptLoss goes on without
	// them.
	Losses int
	// Earlier is the number of index files written by an earlier version. That is not a fault: they are rebuilt when
	// the store is opened.
	Earlier int
}

// faults collects descriptions of what is wrong.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// tableTools are the operations of verification, repair and backup on a table, independent of its row type.
type tableTools struct {
	name    string
	verify  func(directory string, w *walk, found *Findings) error
	repair  func(d disk.Disk, directory string, w *walk) ([]string, error)
	rebuild func(d disk.Disk, f *segmentFile) error

	acceptLoss func(d disk.Disk, directory string) ([]string, error)
}

func tables() []tableTools { return []tableTools{toolsOf(observationSchema()), toolsOf(scoreSchema())} }

func toolsOf[R any](s *schema[R]) tableTools {
	return tableTools{
		name:    s.table,
		verify:  func(directory string, w *walk, found *Findings) error { return verifyTable(s, directory, w, found) },
		repair:  func(d disk.Disk, directory string, w *walk) ([]string, error) { return repairTable(d, s, directory, w) },
		rebuild: func(d disk.Disk, f *segmentFile) error { return rebuildIndex(d, s, f) },

		acceptLoss: func(d disk.Disk, directory string) ([]string, error) { return acceptLoss(d, s, directory) },
	}
}

// Verify checks everything in the directory of a store and returns what is wrong. It changes nothing, and a server may
// be using the directory meanwhile. An error means that the check itself failed.
//
// It reads every page of every segment and verifies its checksum, rebuilds every index in memory and compares it with
// the existing one, and replays the logs without keeping anything.
func Verify(directory string, progress Progress) (found Findings, err error) {
	w := newWalk(progress)
	for _, t := range tables() {
		if state, _, err := loadManifest(filepath.Join(directory, t.name)); err == nil {
			w.expect(len(state.segments))
		}
	}
	for _, t := range tables() {
		if err := t.verify(filepath.Join(directory, t.name), w, &found); err != nil {
			return found, fmt.Errorf("cannot verify table %s: %w", t.name, err)
		}
	}
	return found, nil
}

// loadManifest reads the manifest of a directory. It also returns the part of its bytes that is in effect.
func loadManifest(directory string) (*tableState, []byte, error) {
	path := filepath.Join(directory, manifestName)
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the manifest: %w", err)
	}
	state := newTableState()
	size, err := readManifest(path, content, state)
	if err != nil {
		return nil, nil, err
	}
	return state, content[:size], nil
}

func verifyTable[R any](s *schema[R], directory string, w *walk, findings *Findings) error {
	found := (*faults)(&findings.Faults)
	if never, err := neverWritten(directory); err != nil || never {
		return err
	}
	moment, err := takeSnapshot(directory, func(string) {})
	if err != nil {
		found.add("%v", err)
		return nil // a damaged manifest is a fault, not a failure of the check
	}
	before := len(*found)
	defer func() {
		if len(*found) > before {
			blameManifest(directory, found)
		}
	}()
	logs := &logCheck[R]{schema: s, state: moment.state, directory: directory, next: moment.state.horizon + 1}
	logs.check(moment, w)
	*found = append(*found, logs.found...)
	findings.Losses += len(logs.found)
	state := moment.state
	moment.close()

	for name, records := range state.deferred {
		found.add("%s has rows that were deleted or replaced (%d times) while it could not be read: reads of it fail until these rows "+
			"are removed",
			filepath.Join(directory, segmentName(name.Segment)), len(records))
		findings.Deferred++
	}
	checked := make(map[int]bool)
	for again := true; again; {
		again = false
		verifyDead(directory, state, found, checked)
		for _, number := range state.segments {
			if checked[number] {
				continue
			}
			checked[number] = true
			w.step(filepath.Join(directory, segmentName(number)))
			check, err := checkSegment(s, directory, number, state)
			if err != nil {
				return err
			}
			if check.earlier || len(check.data)+len(check.index) > 0 {
				gone, err := isGone(directory, number)
				if err != nil {
					return err
				}
				if gone { // merged meanwhile into a segment that is still to be checked
					again = true
					continue
				}
			}
			*found = append(append(*found, check.data...), check.index...)
			findings.Indexes += len(check.index)
			if check.earlier {
				findings.Earlier++
			}
		}
		if again {
			if state, _, err = loadManifest(directory); err != nil {
				return err
			}
		}
	}
	return nil
}

// neverWritten reports whether nothing was written to a table yet: its directory does not exist, is empty, or holds
// only an unfinished first manifest, left by a power failure at the first start.
func neverWritten(directory string) (bool, error) {
	entries, err := os.ReadDir(directory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != manifestName+".new" }), nil
}

// blameManifest adds a possible cause to other faults of a table: an incomplete end of the manifest, which is not a
// fault by itself, since a crash leaves one.
func blameManifest(directory string, found *faults) {
	path := filepath.Join(directory, manifestName)
	content, err := os.ReadFile(path)
	if err != nil {
		found.add("cannot read the manifest: %v", err)
		return
	}
	size, err := readManifest(path, content, newTableState())
	if err == nil && size < int64(len(content)) {
		found.add("%s cannot be read from offset %d on: if this is damage rather than a write interrupted by a crash, restore a backup",
			path, size)
	}
}

// isGone reports whether a segment is no longer in the manifest.
func isGone(directory string, number int) (bool, error) {
	state, _, err := loadManifest(directory)
	if err != nil {
		return false, err
	}
	return !slices.Contains(state.segments, number), nil
}

// verifyDead looks for inconsistencies in the manifest, such as dead rows of segments that do not exist. Dead rows of
// existing segments are checked along with the segments.
func verifyDead(directory string, state *tableState, found *faults, checked map[int]bool) {
	for key := range state.dead {
		if !slices.Contains(state.segments, key.Segment) && !checked[key.Segment] {
			found.add("%s lists dead rows of segment %d, which it does not contain", filepath.Join(directory, manifestName), key.Segment)
		}
	}
	numbers := slices.Sorted(slices.Values(state.segments))
	for n := 1; n < len(numbers); n++ {
		if numbers[n] == numbers[n-1] {
			found.add("%s lists segment %d twice", filepath.Join(directory, manifestName), numbers[n])
		}
	}
	if len(numbers) > 0 && numbers[len(numbers)-1] >= state.next {
		found.add("%s says that the next file is %d, but has segment %d", filepath.Join(directory, manifestName), state.next,
			numbers[len(numbers)-1])
	}
}
