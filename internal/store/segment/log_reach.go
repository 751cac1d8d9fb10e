package segment

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// The end of the newest log may be missing after a crash, but not what was acknowledged. The manifest therefore names
// every log file before it is used, and records about once a second up to which write the log reached. A log that is
// missing, empty or shorter than that has lost acknowledged writes: the table refuses to open.

// syncedLoop records how far the log reaches until the table is closed.
func (t *table[R]) syncedLoop() {
	defer t.stopped.Done()
	if t.options.noteEvery < 0 {
		return
	}
	tick := time.NewTicker(t.options.noteEvery)
	defer tick.Stop()
	for {
		select {
		case <-t.stop:
			return
		case <-tick.C:
		}
		if err := t.noteSynced(); err != nil && t.failure() == nil { // the disk is full: the next one will do
			t.options.Log.Debug("cannot record how far the log reaches", "table", t.schema.table, "error", err)
		}
	}
}

// noteSynced records how far the log reaches, if that has changed.
func (t *table[R]) noteSynced() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if seq := t.current.Load().seq; seq > t.state.synced && t.failure() == nil {
		return t.appendEdit(edit{Synced: seq})
	}
	return nil
}

// missingWrites is the error for writes that are not in the log.
func missingWrites(from, to uint64) error {
	return fmt.Errorf("the writes from %d to %d are missing: a log file or the end of the manifest is lost; %s", from, to, afterLoss)
}

// checkLogs returns an error if a log file is missing, given the numbers of those that are there.
func (s *tableState) checkLogs(directory string, there []int) error {
	for number := range s.logs {
		if !slices.Contains(there, number) {
			return fmt.Errorf("log file %s is missing, with writes that are in no segment yet; %s",
				filepath.Join(directory, logName(number)), afterLoss)
		}
	}
	return nil
}

// checkHead returns an error if a log file that the manifest names does not begin as it did when it was created.
func (s *tableState) checkHead(path string, number int, content []byte) error {
	want, ok := s.logs[number]
	switch {
	case !ok:
		return nil
	case headMissing(content) || len(content) == logHead:
		return fmt.Errorf("log file %s is empty, or its beginning is: it had writes that are in no segment yet; %s", path, afterLoss)
	case !bytes.Equal(markIn(content), want):
		return fmt.Errorf("log file %s is not the one that was there, or its head is damaged; %s", path, afterLoss)
	}
	return nil
}

// checkEnd returns an error if the log ends before the last write that was known to be in it.
func (s *tableState) checkEnd(directory string, seq uint64) error {
	if seq >= s.synced {
		return nil
	}
	return fmt.Errorf("the log %s ends too early: %w", newestLog(directory), missingWrites(seq+1, s.synced))
}

// newestLog returns the path of the last log file in a directory, or the directory if there is none.
func newestLog(directory string) string {
	found, err := filepath.Glob(filepath.Join(directory, "log-*.wal"))
	if err != nil || len(found) == 0 {
		return directory
	}
	return slices.Max(found)
}

// markIn returns the mark in the head of a log, valid or not.
func markIn(content []byte) []byte {
	if len(content) < logHead {
		return nil
	}
	return content[len(logMagic) : len(logMagic)+len(mark{})]
}
