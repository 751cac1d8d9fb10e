// Package datadir is the directory that holds all data of an installation:
//
//	lock            held by the running server; holds its process id
//	catalog.db      the catalog, unless it is in PostgreSQL
//	encryption.key  what secrets in the catalog are encrypted with, unless the operator gives a key
//	events          the event store: observations and scores
//	media           files that belong to traces and datasets, unless they are in a bucket
//	certificates    those that an authority signed over ACME, with their keys; backups do without
//	last-backup     when the newest backup was finished
//	restoring       there while a backup is being brought back: no server may start on half of one
package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/disk"
	"almanac/internal/platform"
)

// Dir is a data directory that this process has locked.
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

// lockDirectory locks a directory that is there, unless it holds half a backup. The lock file need not survive a loss of
// power: nobody holds the lock then.
func lockDirectory(on disk.Disk, path string) (*Dir, error) {
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
			return nil, fmt.Errorf("the data directory %s is in use by another Almanac (process %s): stop it, or choose another directory with --data", path, strings.TrimSpace(string(holder)))
		}
		return nil, fmt.Errorf("cannot lock the data directory %s: %w", path, err)
	}
	if err := d.writeProcessID(); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	if _, err := os.Stat(restoringFile(path)); err == nil {
		_ = lock.Close()
		return nil, fmt.Errorf("the data directory %s holds a part of a backup whose restoring was not finished: empty it and restore again", path)
	}
	return d, nil
}

// OpenEmpty is Open for a directory that has nothing in it, which is to be filled from a backup. Until Filled is called
// nobody else can open it, not even after a crash.
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

// Filled says that everything is in a directory that OpenEmpty opened, and on disk.
func (d *Dir) Filled() error {
	if err := d.disk.SyncDirectory(disk.RestoredNames, d.path); err != nil { // before the file is gone that keeps servers away
		return err
	}
	if err := d.disk.Remove(restoringFile(d.path)); err != nil {
		return err
	}
	return d.disk.SyncDirectory(disk.RestoredName, d.path)
}

// MakeEmpty makes a directory, or makes sure that it is empty. What a new disk or a server that never came far leaves in
// one does not count.
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
			return fmt.Errorf("the directory %s is not empty: it holds %s", path, e.Name())
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

// Close gives the directory free. The lock file stays: removing it would race with the next server.
func (d *Dir) Close() error { return d.lock.Close() }

// CatalogFile returns where the catalog is in a data directory.
func CatalogFile(path string) string { return filepath.Join(path, "catalog.db") }

// KeyFile returns where the encryption key is in a data directory, if it is there at all.
func KeyFile(path string) string { return filepath.Join(path, "encryption.key") }

// EventsDir returns where the events are in a data directory.
func EventsDir(path string) string { return filepath.Join(path, "events") }

// MediaDir returns where media are in a data directory.
func MediaDir(path string) string { return filepath.Join(path, "media") }

// CertificatesDir returns where certificates of an authority are in a data directory.
func CertificatesDir(path string) string { return filepath.Join(path, "certificates") }

// InUse reports whether a server holds the directory.
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

func restoringFile(path string) string { return filepath.Join(path, "restoring") }

// NoteBackup notes when a backup of the directory was finished, for a measurement: it need not survive a loss of power.
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
