package blob

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/disk"
)

// CopyDirectory copies a directory of blobs, which may be in use, to another place. Blobs never change, so hard links
// are made instead of copies within one file system. Blobs that are removed or being written in the meantime are left
// out. It returns the number of blobs. The contents of the copy are durable on return; syncing the name of the copy
// itself is up to the caller, who may have others beside it.
func CopyDirectory(d disk.Disk, from, to string) (count int, err error) {
	err = filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		relative, relErr := filepath.Rel(from, path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && path != from:
			return nil
		case err != nil || relErr != nil:
			return errors.Join(err, relErr)
		case e.IsDir() && relative == incoming:
			return fs.SkipDir
		case e.IsDir():
			return makeDirectory(d, filepath.Join(to, relative))
		case !isBlob(filepath.ToSlash(relative)):
			return nil
		}
		if err := linkOrCopy(d, path, filepath.Join(to, relative)); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		count++
		return nil
	})
	if err == nil {
		err = syncTree(d, to)
	}
	if err != nil {
		return count, fmt.Errorf("cannot copy the media in %s to %s: %w", from, to, err)
	}
	return count, nil
}

// isBlob reports whether a path within a directory of blobs is that of a blob.
func isBlob(path string) bool {
	key := path[strings.LastIndexByte(path, '/')+1:]
	return checkKey(key) == nil && path == ObjectPath(key)
}

func makeDirectory(d disk.Disk, path string) error {
	if err := d.Mkdir(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func linkOrCopy(d disk.Disk, from, to string) error {
	switch err := d.Link(from, to); {
	case err == nil, errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return err
	}
	source, err := os.Open(from) //nolint:gosec // one of our files
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // only read
	return d.WriteFile(disk.BlobCopy, to, os.O_EXCL, func(w io.Writer) error {
		_, err := io.Copy(w, source)
		return err
	})
}

// syncTree syncs the names in a directory and all directories below it.
func syncTree(d disk.Disk, path string) error {
	return filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return d.SyncDirectory(disk.BlobCopyNames, path)
	})
}

// EachKey calls each with the key and size of every blob in a directory, which may be in use.
func EachKey(directory string, each func(key string, size int64) error) error {
	return filepath.WalkDir(directory, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(directory, path)
		if err != nil || e.IsDir() || !isBlob(filepath.ToSlash(relative)) {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed in the meantime
		}
		if err != nil {
			return err
		}
		return each(e.Name(), info.Size())
	})
}
