package segment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"almanac/internal/disk"
)

// Backup copies the store in a directory to target, which must be empty or not exist. A server may be writing to the
// store meanwhile: everything acknowledged before Backup was called is in the copy, and later writes may be. The copy
// is an ordinary store; Restore, or copying it, brings it back.
//
// Each table is copied as of a single point in time; see snapshot. Segments and indexes never change, so the copy uses
// hard links where the file system supports them, which takes neither time nor space. Files that merging removes from
// the store meanwhile stay alive in the copy; if one is removed before it was linked, a new snapshot is taken and the
// files already copied are kept. The manifest is written last, so the copy of a process that was killed has none, and
// Restore refuses it. When Backup returns, everything in target is on disk; syncing the parent directory of target is
// up to the caller.
func Backup(d disk.Disk, directory, target string, progress Progress) error {
	if err := (&copier{disk: d, link: true, walk: newWalk(progress)}).tables(directory, target); err != nil {
		return fmt.Errorf("cannot back up %s to %s: %w", directory, target, err)
	}
	return nil
}

// Restore copies a backup into a directory that is empty or does not exist, so that a store can be opened there. The
// store shares no files with the backup, and has another id unless that is empty. As with Backup, syncing the parent
// directory is up to the caller.
func Restore(d disk.Disk, backup, directory, id string, progress Progress) error {
	if _, err := os.Stat(backup); err != nil {
		return fmt.Errorf("cannot restore a backup: %w", err)
	}
	if err := (&copier{disk: d, id: id, walk: newWalk(progress)}).tables(backup, directory); err != nil {
		return fmt.Errorf("cannot restore %s to %s: %w", backup, directory, err)
	}
	return nil
}

// tables copies all tables of a store.
func (c *copier) tables(from, to string) error {
	if err := makeEmpty(c.disk, to); err != nil {
		return err
	}
	for _, t := range tables() {
		source, target := filepath.Join(from, t.name), filepath.Join(to, t.name)
		if never, err := neverWritten(source); err != nil {
			return err
		} else if never {
			continue
		}
		if err := c.disk.Mkdir(target); err != nil {
			return err
		}
		table := *c
		table.from, table.to, table.point = source, target, func(string) {}
		if err := table.table(); err != nil {
			return err
		}
	}
	return c.disk.SyncDirectory(disk.BackupTables, to)
}

// makeEmpty creates a directory, or checks that the existing one is empty.
func makeEmpty(d disk.Disk, path string) error {
	if err := d.Mkdir(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty: it has %s and %d other files", path, entries[0].Name(), len(entries)-1)
	}
	return nil
}

// copier copies the directory of a table.
type copier struct {
	disk     disk.Disk
	from, to string
	link     bool   // segments may be hard-linked
	id       string // of the copy; empty if it keeps that of the original
	walk     *walk
	point    func(name string)
	taken    map[string]bool // segments and indexes already in the copy
}

func (c *copier) table() error {
	c.taken = make(map[string]bool)
	for range snapshotAttempts {
		moment, err := takeSnapshot(c.from, c.point)
		if err != nil {
			return err
		}
		err = moment.state.checkLogs(c.from, moment.numbers())
		gone := false
		if err == nil {
			gone, err = c.moment(moment)
		}
		moment.close()
		if err != nil || !gone {
			return err
		}
	}
	return fmt.Errorf("segments were merged %d times while they were being copied", snapshotAttempts)
}

// moment completes the copy from a snapshot, or reports that some of its files were removed.
func (c *copier) moment(s *snapshot) (gone bool, err error) {
	c.point("copy-segments")
	wanted := make(map[string]bool)
	c.walk.expect(len(s.state.segments))
	for _, number := range s.state.segments {
		c.walk.step(filepath.Join(c.from, segmentName(number)))
		for _, name := range []string{segmentName(number), indexName(number)} {
			wanted[name] = true
			err := c.file(name)
			if errors.Is(err, fs.ErrNotExist) {
				gone, stateErr := isGone(c.from, number)
				if gone || stateErr != nil {
					return gone, stateErr
				}
			}
			if err != nil {
				return false, err
			}
		}
	}
	// Files of an earlier snapshot that are not in this one were merged into others.
	for name := range c.taken {
		if !wanted[name] {
			if err := c.disk.Remove(filepath.Join(c.to, name)); err != nil {
				return false, err
			}
			delete(c.taken, name)
		}
	}
	c.point("copy-logs")
	for _, l := range s.logs {
		// A server that starts may truncate an incomplete end meanwhile; a shorter file is correct then.
		if err := c.disk.WriteFile(disk.BackupLog, filepath.Join(c.to, logName(l.number)), os.O_TRUNC, func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(l.file, 0, l.size))
			return err
		}); err != nil {
			return false, err
		}
	}
	manifest := s.manifest
	if c.id != "" {
		renamed, err := manifestFrame(edit{Store: c.id})
		if err != nil {
			return false, err
		}
		manifest = slices.Concat(manifest, renamed)
	}
	path := filepath.Join(c.to, manifestName)
	if err := c.disk.WriteFile(disk.BackupManifest, path+".new", os.O_TRUNC, func(w io.Writer) error {
		_, err := w.Write(manifest)
		return err
	}); err != nil {
		return false, err
	}
	return false, errors.Join(c.disk.Rename(path+".new", path), c.disk.SyncDirectory(disk.BackupTable, c.to))
}

// file adds an immutable file to the copy.
func (c *copier) file(name string) error {
	if c.taken[name] {
		return nil
	}
	source, target := filepath.Join(c.from, name), filepath.Join(c.to, name)
	if !c.link || c.disk.Link(source, target) != nil { // a different file system, or one without hard links
		if err := c.copyFile(source, target); err != nil {
			return err
		}
	}
	c.taken[name] = true
	return nil
}

// copyFile copies a file and makes it durable.
func (c *copier) copyFile(source, target string) error {
	file, err := os.Open(source)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read
	return c.disk.WriteFile(disk.BackupSegment, target, os.O_TRUNC, func(w io.Writer) error {
		_, err := io.Copy(w, file)
		return err
	})
}
