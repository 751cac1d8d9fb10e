package segment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"almanac/internal/disk"
)

// Backup makes a copy of the store in a directory, in another directory that is empty or does not exist. A server may
// be writing to the store meanwhile: everything that it acknowledged before Backup was called is in the copy, and what
// it acknowledges later may be. The copy is a store like any other; Restore, or copying it, brings it back.
//
// Each table is copied as it was at one moment; snapshot says how that moment is found. Segments and indexes never change,
// so where the file system can, the copy gets another name of the same file, which takes neither time nor space. Files
// that merging removes from the store meanwhile stay alive in the copy; if one is gone before it got its second name, a new
// snapshot is taken, and what was copied already is kept. The manifest is written last, so a copy of a process that was
// killed has none and is refused by Restore. When Backup returns, all that is in the directory is on disk; its own name,
// and the directory that it is in, are the caller's, who has others beside it.
func Backup(d disk.Disk, directory, target string, progress Progress) error {
	if err := copyTables(d, directory, target, true, newWalk(progress)); err != nil {
		return fmt.Errorf("cannot make a backup of %s in %s: %w", directory, target, err)
	}
	return nil
}

// Restore copies a backup into a directory that is empty or does not exist, where a store can be opened then.
// It shares nothing with the backup afterwards. Its name is the caller's, as that of a backup is.
func Restore(d disk.Disk, backup, directory string, progress Progress) error {
	if _, err := os.Stat(backup); err != nil {
		return fmt.Errorf("cannot restore a backup: %w", err)
	}
	if err := copyTables(d, backup, directory, false, newWalk(progress)); err != nil {
		return fmt.Errorf("cannot restore %s to %s: %w", backup, directory, err)
	}
	return nil
}

func copyTables(d disk.Disk, from, to string, link bool, w *walk) error {
	if err := makeEmpty(d, to); err != nil {
		return err
	}
	for _, t := range tables() {
		source, target := filepath.Join(from, t.name), filepath.Join(to, t.name)
		if never, err := neverWritten(source); err != nil {
			return err
		} else if never {
			continue
		}
		if err := d.Mkdir(target); err != nil {
			return err
		}
		c := &copier{disk: d, from: source, to: target, link: link, walk: w, point: func(string) {}}
		if err := c.table(); err != nil {
			return err
		}
	}
	return d.SyncDirectory(disk.BackupTables, to)
}

// makeEmpty makes a directory, or makes sure that it is empty.
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
	link     bool // segments may share their files with the copy
	walk     *walk
	point    func(name string)
	taken    map[string]bool // segments and indexes that are in the copy
}

func (c *copier) table() error {
	c.taken = make(map[string]bool)
	for range snapshotAttempts {
		moment, err := takeSnapshot(c.from, c.point)
		if err != nil {
			return err
		}
		gone, err := c.moment(moment)
		moment.close()
		if err != nil || !gone {
			return err
		}
	}
	return fmt.Errorf("segments were merged %d times while they were being copied", snapshotAttempts)
}

// moment completes the copy with what a snapshot has, or says that some of it is gone.
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
	// What an earlier snapshot had and this one has not was merged into others.
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
		// A server that starts may cut off an incomplete end meanwhile; that the file is shorter then is right.
		if err := c.disk.WriteFile(disk.BackupLog, filepath.Join(c.to, logName(l.number)), os.O_TRUNC, func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(l.file, 0, l.size))
			return err
		}); err != nil {
			return false, err
		}
	}
	path := filepath.Join(c.to, manifestName)
	if err := c.disk.WriteFile(disk.BackupManifest, path+".new", os.O_TRUNC, func(w io.Writer) error {
		_, err := w.Write(s.manifest)
		return err
	}); err != nil {
		return false, err
	}
	return false, errors.Join(c.disk.Rename(path+".new", path), c.disk.SyncDirectory(disk.BackupTable, c.to))
}

// file brings a file that never changes into the copy.
func (c *copier) file(name string) error {
	if c.taken[name] {
		return nil
	}
	source, target := filepath.Join(c.from, name), filepath.Join(c.to, name)
	if !c.link || c.disk.Link(source, target) != nil { // another file system, or one without links
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
