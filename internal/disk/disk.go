// Package disk is the way to files that must survive a loss of power. It changes them as package os does; a test can watch
// the changes, refuse them, and work out what a disk may have left of them when the power fails (package powerloss).
//
// Files are read with package os: what is read needs no promise.
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

// Disk changes files. The zero value is the real disk and nothing else.
type Disk struct{ watch Watch }

// Watch is told of a change before it is made, and calls do to make it. It may change how much of a write there is, and
// return an error instead of what do returned.
type Watch func(c *Change, do func() error) error

// Watched returns the disk with somebody watching.
func Watched(w Watch) Disk { return Disk{w} }

// Kind says what a change is.
type Kind int

// The kinds of changes.
const (
	Open          Kind = iota // a file is opened to be written to: File, Path, Flag
	Write                     // File, Offset, Data
	Truncate                  // File, Size
	Sync                      // File, Site; or Path, Site for a file that somebody else wrote
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
	Flag   int // of Open: os.O_TRUNC counts
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

// OpenFile opens a file to write to it, with the flags of package os. One that it makes can be read by its owner only.
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

// CreateTemp makes a new file in a directory with a name that begins with a prefix.
func (d Disk) CreateTemp(directory, prefix string) (*File, error) {
	file, err := os.CreateTemp(directory, prefix+"*")
	if err != nil {
		return nil, err
	}
	f := &File{disk: d, file: file}
	return f, d.change(&Change{Kind: Open, Path: file.Name(), Flag: os.O_CREATE, File: f}, func() error { return nil })
}

// WriteFile makes a file, lets a function write it, and waits until it is on disk. Its name is there after SyncDirectory only.
// The flag is os.O_TRUNC or os.O_EXCL: what is to become of a file that is there.
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

// Rename gives a file another name, in the place of one that has it.
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

// Mkdir makes a directory that only its owner can enter.
func (d Disk) Mkdir(path string) error {
	return d.change(&Change{Kind: Mkdir, Path: path}, func() error { return os.Mkdir(path, 0o700) })
}

// MakeDirectories makes a directory and those that it is in, if they are missing, and waits until their names are on disk.
// The name of the directory itself is brought to disk also if it is there: whoever made it may have died before that.
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
		return nil // somebody else's directory, in which the operator made ours
	}
	return err
}

// SyncDirectory waits until the names in a directory are on disk.
func (d Disk) SyncDirectory(site Site, path string) error {
	names, err := d.OpenDirectory(path)
	if err != nil {
		return err
	}
	return errors.Join(names.Sync(site), names.Close())
}

// SyncFile waits until a file is on disk that somebody else has written, such as a database.
func (d Disk) SyncFile(site Site, path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // the operator names the place; Windows syncs only what can be written to
	if err != nil {
		return err
	}
	return errors.Join(d.change(&Change{Kind: Sync, Path: path, Site: site}, file.Sync), file.Close())
}

// Directory is an open directory, for those who want to sync it when there may be no descriptor left.
type Directory struct {
	disk Disk
	file *os.File
}

// OpenDirectory opens a directory to sync it.
func (d Disk) OpenDirectory(path string) (*Directory, error) {
	file, err := platform.OpenDirectory(path)
	if err != nil {
		return nil, err
	}
	return &Directory{d, file}, nil
}

// Sync waits until the names in the directory are on disk.
func (d *Directory) Sync(site Site) error {
	return d.disk.change(&Change{Kind: SyncDirectory, Path: d.file.Name(), Site: site}, func() error { return platform.SyncDirectory(d.file) })
}

// Close closes the directory.
func (d *Directory) Close() error { return d.file.Close() }
