package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// snapshot is a consistent view of the directory of a table, taken while a server may be writing to it.
//
// A table consists of its manifest, the segments that it names, and the log files: a write counts if its sequence
// number is at most the manifest's horizon (then it is in segments), or if it is in a log. The parts cannot be read
// atomically, so the order matters:
//
//  1. The manifest is read first, and the logs after it. The manifest holds dead rows, some of which were replaced by
//     writes that are only in a log so far. A log that is read after the manifest has those writes, since a write
//     reaches the log before it kills anything. In the opposite order, a row could be dead without its replacement.
//  2. The logs are opened, not copied. A server removes a log after it was written as segments; an open file stays
//     readable.
//  3. A log could be removed after the manifest was read and before the log was opened. The horizon was moved before
//     that, so the manifest is read again: if its horizon is unchanged, every log that was needed existed and is open
//     now; the same holds for logs without writes, which a server drops when it starts. Otherwise everything is done
//     again. This is quick, and the horizon moves every few seconds at most.
//
// Log files only grow, and a later one begins after the last write to the one before. So the open files, up to the size
// that each had when it was opened, hold all writes up to some point after the snapshot was begun. The last one may be
// incomplete: it was not acknowledged, and replaying the log truncates it.
//
// Segments do not change, but merging removes some. Callers that need them open them, and take a new snapshot if one
// was removed.
type snapshot struct {
	directory string
	manifest  []byte // the part of it that was in effect
	state     *tableState
	logs      []openLog
	missing   []int // logs that the manifest names and that do not exist
}

// openLog is an open log file and the part of it that belongs to the snapshot.
type openLog struct {
	number int
	file   *os.File
	size   int64
}

// snapshotAttempts limits how often a snapshot is tried. Even ten failures in a row are very unlikely.
const snapshotAttempts = 1000

// takeSnapshot reads the directory of a table. It calls point at places where a concurrent change is interesting; tests
// change the table there.
func takeSnapshot(directory string, point func(name string)) (*snapshot, error) {
	for range snapshotAttempts {
		state, manifest, err := loadManifest(directory)
		if err != nil {
			return nil, err
		}
		s := &snapshot{directory: directory, manifest: manifest, state: state}
		point("snapshot-manifest")
		if err := s.openLogs(); err != nil {
			s.close()
			return nil, err
		}
		point("snapshot-logs")
		after, _, err := loadManifest(directory)
		if err != nil {
			s.close()
			return nil, err
		}
		if after.horizon == state.horizon && s.noteMissing(after) {
			return s, nil
		}
		s.close()
		time.Sleep(time.Millisecond)
	}
	return nil, fmt.Errorf("cannot read %s: it changed %d times while it was being read", directory, snapshotAttempts)
}

func (s *snapshot) openLogs() error {
	numbers, err := logNumbers(s.directory)
	if err != nil {
		return err
	}
	for _, number := range numbers {
		file, err := os.Open(filepath.Join(s.directory, logName(number)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // no longer needed, or the horizon has moved
		}
		if err != nil {
			return err
		}
		info, err := file.Stat()
		if err != nil {
			return errors.Join(err, file.Close())
		}
		s.logs = append(s.logs, openLog{number, file, info.Size()})
	}
	return nil
}

// noteMissing notes the logs that are missing. It reports false if one of them was removed because it is not needed, as
// the manifest says by now.
func (s *snapshot) noteMissing(after *tableState) bool {
	for _, number := range slices.Sorted(maps.Keys(s.state.logs)) {
		if slices.ContainsFunc(s.logs, func(l openLog) bool { return l.number == number }) {
			continue
		}
		if _, needed := after.logs[number]; !needed {
			return false
		}
		s.missing = append(s.missing, number)
	}
	return true
}

// numbers returns the numbers of the logs that are there.
func (s *snapshot) numbers() (numbers []int) {
	for _, l := range s.logs {
		numbers = append(numbers, l.number)
	}
	return numbers
}

func (s *snapshot) close() {
	for _, l := range s.logs {
		_ = l.file.Close() // only read
	}
}
