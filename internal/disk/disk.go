// Package disk is for writing files that must survive a loss of power. It modifies them like package os; a test can
// watch the changes, reject them, and determine what a disk may have kept of them after a power failure (package
// powerloss).
//
// Files are read with package os, since reads need no durability.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"almanac/internal/platform"
)

// Disk modifies files. The zero value is the real disk without a watcher.
type Disk struct{ watch Watch }

// Watch is called before a change, and calls do to make it. It may shorten a write, and return an error instead of the
// result of do.
type Watch func(c *Change, do func() error) error

// Watched returns the disk with a watcher.
func Watched(w Watch) Disk { return Disk{w} }

// Kind is the kind of a change.
type Kind int

// The kinds of changes.
const (
	Open          Kind = iota // a file is opened for writing: File, Path, Flag
	Write                     // File, Offset, Data
	Truncate                  // File, Size
	Sync                      // File, Site; or Path, Site for a file written by others
	Rename                    // Path, To
	Link                      // Path, To
	Remove                    // Path
	Mkdir                     // Path
	SyncDirectory             // Path, Site
)

// Change is one change of a file or of the names in a directory.
type Change struct {
	Kind   Kind
	Path   string
	To     string
	File   *File
	Flag   int // for Open: os.O_TRUNC matters
	Offset int64
	Size   int64
	Data   []byte
	Site   Site
}

func (d Disk) change(c *Change, do func() error) error {
	if d.watch == nil {
		return do()
	}
	return d.watch(c, do)
}

// OpenFile opens a file for writing, with the flags of package os. A new file is accessible only to its owner.
func (d Disk) OpenFile(path string, flag int) (*File, error) {
	f := &File{disk: d, appends: flag&os.O_APPEND != 0}
	err := d.change(&Change{Kind: Open, Path: path, Flag: flag, File: f}, func() (err error) {
		f.file, err = os.OpenFile(path, flag, 0o600) //nolint:gosec // the operator names the place
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// CreateTemp creates a new file in a directory with a name that begins with a prefix.
func (d Disk) CreateTemp(directory, prefix string) (*File, error) {
	file, err := os.CreateTemp(directory, prefix+"*")
	if err != nil {
		return nil, err
	}
	f := &File{disk: d, file: file}
	return f, d.change(&Change{Kind: Open, Path: file.Name(), Flag: os.O_CREATE, File: f}, func() error { return nil })
}

// WriteFile creates a file, lets write write it, and syncs it. The file name is durable only after SyncDirectory. The
// flag is os.O_TRUNC or os.O_EXCL and determines what happens to an existing file.
func (d Disk) WriteFile(site Site, path string, flag int, write func(io.Writer) error) error {
	file, err := d.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(file.Sync(site), file.Close())
}

// Rename renames a file, replacing an existing one.
func (d Disk) Rename(from, to string) error {
	return d.change(&Change{Kind: Rename, Path: from, To: to}, func() error {
		return platform.Retry(func() error { return os.Rename(from, to) })
	})
}

// Link gives a file a second name.
func (d Disk) Link(from, to string) error {
	return d.change(&Change{Kind: Link, Path: from, To: to}, func() error { return os.Link(from, to) })
}

// Remove removes a file or an empty directory.
func (d Disk) Remove(path string) error {
	return d.change(&Change{Kind: Remove, Path: path}, func() error { return os.Remove(path) })
}

// Mkdir creates a directory that is accessible only to its owner.
func (d Disk) Mkdir(path string) error {
	return d.change(&Change{Kind: Mkdir, Path: path}, func() error { return os.Mkdir(path, 0o700) })
}

// MakeDirectories creates a directory and its missing parents, and syncs their names. The name of the directory itself
// is synced even if it exists: the process that created it may have died before that.
func (d Disk) MakeDirectories(site Site, path string) error {
	parent := filepath.Dir(path)
	if _, err := os.Stat(parent); errors.Is(err, fs.ErrNotExist) {
		if err := d.MakeDirectories(site, parent); err != nil {
			return err
		}
	}
	made := d.Mkdir(path)
	if made != nil {
		if info, err := os.Stat(path); !errors.Is(made, fs.ErrExist) || err != nil || !info.IsDir() {
			return made
		}
	}
	err := d.SyncDirectory(site, parent)
	if made != nil && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EROFS)) {
		return nil // a directory of someone else, in which the operator created ours
	}
	return err
}

// SyncDirectory waits until the names in a directory are durable.
func (d Disk) SyncDirectory(site Site, path string) error {
	names, err := d.OpenDirectory(path)
	if err != nil {
		return err
	}
	return errors.Join(names.Sync(site), names.Close())
}

// SyncFile waits until a file written by others, such as a database, is durable.
func (d Disk) SyncFile(site Site, path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // the operator names the place; Windows syncs only what can be written to
	if err != nil {
		return err
	}
	return errors.Join(d.change(&Change{Kind: Sync, Path: path, Site: site}, file.Sync), file.Close())
}

// Directory is an open directory, for callers that must be able to sync it even if no file descriptors are left.
type Directory struct {
	disk Disk
	file *os.File
}

// OpenDirectory opens a directory for syncing.
func (d Disk) OpenDirectory(path string) (*Directory, error) {
	file, err := platform.OpenDirectory(path)
	if err != nil {
		return nil, err
	}
	return &Directory{d, file}, nil
}

// Sync waits until the names in the directory are durable.
func (d *Directory) Sync(site Site) error {
	return d.disk.change(&Change{Kind: SyncDirectory, Path: d.file.Name(), Site: site}, func() error {
		return platform.SyncDirectory(d.file)
	})
}

// Close closes the directory.
func (d *Directory) Close() error { return d.file.Close() }
