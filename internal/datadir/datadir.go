// Package datadir manages the directory that holds all data of an installation:
//
//	lock            held by the running server; contains its process id
//	import-lock     held by an import into the running server
//	socket          where imports reach the running server
//	catalog.db      the catalog, unless it is in PostgreSQL
//	encryption.key  the key that encrypts secrets in the catalog, unless the operator provides one
//	events          the event store: observations and scores
//	media           files that belong to traces and datasets, unless they are in a bucket
//	certificates    certificates obtained over ACME, with their keys; not part of backups
//	last-backup     when the newest backup was finished
//	restoring       exists while a backup is being restored: no server may start on part of one
package datadir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/disk"
	"almanac/internal/platform"
)

// BackupNote is the name of the file that describes a backup. A backup is no data directory: a server would change it.
const BackupNote = "backup.json"

// IsBackup reports whether a directory is a backup.
func IsBackup(path string) bool {
	_, err := os.Stat(filepath.Join(path, BackupNote))
	return err == nil
}

// RefuseBackup returns an error if a directory is a backup, for those who would change it.
func RefuseBackup(path string) error {
	if IsBackup(path) {
		return fmt.Errorf("%s is a backup, which must stay as it is: restore it to a new directory with almanac restore %s --data "+
			"DIRECTORY", path, path)
	}
	return nil
}

// ErrInUse means that another process has locked a data directory.
var ErrInUse = errors.New("in use by another Almanac")

// Dir is a data directory locked by this process.
type Dir struct {
	disk disk.Disk
	path string
	lock *os.File
}

// Open creates the directory if it does not exist and locks it, so that no second server writes to it.
func Open(path string) (*Dir, error) { return open(disk.Disk{}, path) }

func open(on disk.Disk, path string) (*Dir, error) {
	if err := on.MakeDirectories(disk.DataName, path); err != nil {
		return nil, fmt.Errorf("cannot create the data directory: %w", err)
	}
	return lockDirectory(on, path)
}

// lockDirectory locks an existing directory, unless it holds a partially restored backup. The lock file need not
// survive a power loss: nobody holds the lock then.
func lockDirectory(on disk.Disk, path string) (*Dir, error) {
	if err := RefuseBackup(path); err != nil { // before anything is changed
		return nil, err
	}
	name := lockFile(path)
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec,forbidigo // the operator names it; nothing in it is kept
	if err != nil {
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	d := &Dir{on, path, lock}
	if free, err := platform.TryLock(lock, true); !free {
		holder, _ := os.ReadFile(name) //nolint:gosec // the file opened above
		_ = lock.Close()
		if err == nil {
			return nil, fmt.Errorf("the data directory %s is %w (process %s): stop it, or choose another directory with --data", path,
				ErrInUse, strings.TrimSpace(string(holder)))
		}
		return nil, fmt.Errorf("cannot lock the data directory %s: %w", path, err)
	}
	if err := d.writeProcessID(); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	if _, err := os.Stat(restoringFile(path)); err == nil {
		_ = lock.Close()
		return nil, fmt.Errorf("the data directory %s contains a partly restored backup: empty it and restore again", path)
	}
	return d, nil
}

// OpenEmpty opens an empty directory that is to be filled from a backup. Until Filled is called nobody else can open
// it, not even after a crash.
func OpenEmpty(on disk.Disk, path string) (*Dir, error) {
	if err := MakeEmpty(on, path); err != nil {
		return nil, err
	}
	d, err := lockDirectory(on, path)
	if err != nil {
		return nil, err
	}
	marker, err := on.OpenFile(restoringFile(path), os.O_WRONLY|os.O_CREATE)
	if err == nil {
		err = errors.Join(marker.Close(), on.SyncDirectory(disk.RestoringName, path))
	}
	if err != nil {
		_ = d.Close()
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	return d, nil
}

// MarkComplete declares a directory opened by OpenEmpty complete. The content of its files must already be on disk.
func (d *Dir) MarkComplete() error {
	if err := d.disk.SyncDirectory(disk.RestoredNames, d.path); err != nil { // before servers may start
		return err
	}
	if err := d.disk.Remove(restoringFile(d.path)); err != nil {
		return err
	}
	return d.disk.SyncDirectory(disk.RestoredName, d.path)
}

// MakeEmpty creates a directory, or checks that an existing one is empty. It ignores a lost+found directory and the
// lock file of a server that never got any further.
func MakeEmpty(on disk.Disk, path string) error {
	if err := on.MakeDirectories(disk.EmptyName, path); err != nil {
		return fmt.Errorf("cannot create the directory: %w", err)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != "lock" && e.Name() != "lost+found" {
			return fmt.Errorf("the directory %s is not empty: it contains %s", path, e.Name())
		}
	}
	return nil
}

func (d *Dir) writeProcessID() error {
	if err := d.lock.Truncate(0); err != nil {
		return err
	}
	_, err := d.lock.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

// Close unlocks the directory. The lock file stays: removing it would race with the next server.
func (d *Dir) Close() error { return d.lock.Close() }

// CatalogFile returns the path of the catalog in a data directory.
func CatalogFile(path string) string { return filepath.Join(path, "catalog.db") }

// KeyFile returns the path of the encryption key in a data directory. The file need not exist.
func KeyFile(path string) string { return filepath.Join(path, "encryption.key") }

// EventsDir returns the path of the event store in a data directory.
func EventsDir(path string) string { return filepath.Join(path, "events") }

// MediaDir returns the path of media in a data directory.
func MediaDir(path string) string { return filepath.Join(path, "media") }

// CertificatesDir returns the path of the certificates obtained over ACME in a data directory.
func CertificatesDir(path string) string { return filepath.Join(path, "certificates") }

// InUse reports whether a server holds the lock of the directory.
func InUse(path string) (bool, error) {
	lock, err := os.Open(lockFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer lock.Close() //nolint:errcheck // only read
	free, err := platform.TryLock(lock, false)
	return !free && err == nil, err
}

func lockFile(path string) string { return filepath.Join(path, "lock") }

// LockImport locks a data directory against other imports into the server that runs on it, until the file is closed.
func LockImport(path string) (io.Closer, error) {
	name := filepath.Join(path, "import-lock")
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec,forbidigo // the operator names it; nothing in it is kept
	if err != nil {
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	free, err := platform.TryLock(lock, true)
	if err == nil && !free {
		err = errors.New("another import is running")
	}
	if err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("cannot import into the server that runs on %s: %w", path, err)
	}
	return lock, nil
}

func restoringFile(path string) string { return filepath.Join(path, "restoring") }

// NoteBackup records when a backup of the directory was finished. It is for a metric and need not survive a power loss.
func NoteBackup(path string, at time.Time) error {
	return os.WriteFile(backupFile(path), []byte(at.UTC().Format(time.RFC3339)+"\n"), 0o600) //nolint:forbidigo // a loss of power may take it
}

// LastBackup returns when the newest backup was finished, if there is one.
func LastBackup(path string) (at time.Time, ok bool) {
	text, err := os.ReadFile(backupFile(path))
	if err != nil {
		return time.Time{}, false
	}
	at, err = time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	return at, err == nil
}

func backupFile(path string) string { return filepath.Join(path, "last-backup") }
