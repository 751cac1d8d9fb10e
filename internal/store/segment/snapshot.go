package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// snapshot is the directory of a table at one moment, taken while a server may be writing to it.
//
// What makes up a table are its manifest, the segments that it names, and the log files: a write counts if its sequence
// number is at most the manifest's horizon (then it is in segments), or if it is in a log. The parts cannot be read at
// one instant, so the order matters:
//
//  1. The manifest is read first, and the logs after it. The manifest holds dead rows, and some of them were replaced by
//     writes that are only in a log so far. A log that is read later than the manifest has those writes, since a write
//     reaches the log before it kills anything. Read the other way round, a row could be dead without its successor.
//  2. The logs are opened, not copied. A server that makes segments of a log removes it afterwards; an open file stays
//     readable.
//  3. A log could be removed after the manifest was read and before the log was opened. Its horizon was moved before that,
//     so the manifest is read again: if its horizon is where it was, every log that was needed was there and is open now.
//     If not, all of it is done again. This takes a moment only, and a horizon moves every few seconds at most.
//
// Log files only grow, and a later one begins after the last write to the one before. So what the open files hold, up to
// the size that each had when it was opened, is all writes up to some moment after the snapshot was begun, the last one
// perhaps incomplete: that one was not acknowledged, and replaying the log cuts it off.
//
// Segments do not change, but merging removes some. Who needs them opens them, and takes a new snapshot if one is gone.
type snapshot struct {
	directory string
	manifest  []byte // what of it was in effect
	state     *tableState
	logs      []openLog
}

// openLog is a log file, and how much of it belongs to the snapshot.
type openLog struct {
	number int
	file   *os.File
	size   int64
}

// snapshotAttempts bounds how often a snapshot is tried. Ten in a row hardly ever fail.
const snapshotAttempts = 1000

// takeSnapshot reads the directory of a table. The function is called at places where a change is interesting; tests
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
		if after.horizon == state.horizon {
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

func (s *snapshot) close() {
	for _, l := range s.logs {
		_ = l.file.Close() // only read
	}
}
