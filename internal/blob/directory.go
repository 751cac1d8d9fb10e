package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"almanac/internal/disk"
	"almanac/internal/platform"
)

// Directory stores blobs as files in a directory.
type Directory struct {
	path string
	disk disk.Disk

	mu    sync.Mutex
	there map[string]bool // directories whose names are durable
}

// incoming is the subdirectory of files being written. It is on the same file system, so that they can be renamed
// atomically.
const incoming = "incoming"

// spareBytes is how much disk space is left free for the log and the catalog.
const spareBytes = 256 << 20

// OpenDirectory creates the directory if it does not exist. Unfinished files of an earlier process are removed, so only
// one process may have it open.
func OpenDirectory(path string) (*Directory, error) { return openDirectory(disk.Disk{}, path) }

func openDirectory(d disk.Disk, path string) (*Directory, error) {
	unfinished := filepath.Join(path, incoming)
	if err := d.MakeDirectories(disk.MediaName, path); err != nil {
		return nil, fmt.Errorf("cannot create the media directory: %w", err)
	}
	if err := d.Mkdir(unfinished); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("cannot create the media directory: %w", err)
	}
	entries, err := os.ReadDir(unfinished)
	for _, e := range entries {
		err = errors.Join(err, d.Remove(filepath.Join(unfinished, e.Name())))
	}
	if err != nil {
		return nil, fmt.Errorf("cannot clean up the media directory: %w", err)
	}
	return &Directory{path: path, disk: d, there: map[string]bool{}}, nil
}

// InDirectory returns a store for reading blobs in a directory that another process may have open.
func InDirectory(path string) *Directory { return &Directory{path: path, there: map[string]bool{}} }

func (d *Directory) file(key string) string {
	return filepath.Join(d.path, filepath.FromSlash(ObjectPath(key)))
}

// Put writes a temporary file and renames it once it is complete and durable.
func (d *Directory) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if err := d.room(size); err != nil {
		return err
	}
	file, err := d.disk.CreateTemp(filepath.Join(d.path, incoming), key+"-")
	if err != nil {
		return fmt.Errorf("cannot create a media file: %w", err)
	}
	defer d.disk.Remove(file.Name()) //nolint:errcheck // it is gone if all went well, and swept at the next start if not
	_, err = io.Copy(file, &exactly{r: withContext{ctx, r}, left: size})
	if err == nil {
		err = file.Sync(disk.BlobData)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		if platform.DiskFull(err) {
			err = fmt.Errorf("%w: %w", ErrNoSpace, err)
		}
		return fmt.Errorf("cannot write media of %d bytes: %w", size, err)
	}
	target := d.file(key)
	if err := d.makeDirectories(target); err != nil {
		return fmt.Errorf("cannot create a directory for media: %w", err)
	}
	if err := d.disk.Rename(file.Name(), target); err != nil {
		return fmt.Errorf("cannot move a media file into place: %w", err)
	}
	return d.disk.SyncDirectory(disk.BlobName, filepath.Dir(target))
}

// room returns an error unless a file of this size can be written with enough space left for others.
func (d *Directory) room(size int64) error {
	free, err := platform.FreeBytes(d.path)
	if err != nil {
		return fmt.Errorf("cannot determine the free space for media: %w", err)
	}
	if free < uint64(size+spareBytes) { //nolint:gosec // neither is negative
		return fmt.Errorf("%w: %d MB for media of %d MB", ErrNoSpace, free>>20, size>>20)
	}
	return nil
}

// makeDirectories creates the two directories that a file is in. Their names are durable when it returns, no matter who
// created them: possibly a concurrent upload that has not synced them yet, or a process that was killed.
func (d *Directory) makeDirectories(file string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	inner := filepath.Dir(file)
	if d.there[inner] {
		return nil
	}
	for _, path := range []string{filepath.Dir(inner), inner} {
		if d.there[path] {
			continue
		}
		if err := d.disk.MakeDirectories(disk.BlobDirectory, path); err != nil {
			return err
		}
		d.there[path] = true
	}
	return nil
}

// Open opens a file.
func (d *Directory) Open(_ context.Context, key string, size int64) (io.ReadSeekCloser, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	file, err := os.Open(d.file(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", key, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open media: %w", err)
	}
	info, err := file.Stat()
	if err == nil && info.Size() != size {
		err = fmt.Errorf("the file %s has %d bytes instead of %d", file.Name(), info.Size(), size)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Remove removes a file. Its directories stay, since others will need them.
func (d *Directory) Remove(_ context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if err := d.disk.Remove(d.file(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot remove media: %w", err)
	}
	return nil
}

// withContext is a reader that fails once its context is done.
type withContext struct {
	ctx context.Context
	r   io.Reader
}

func (c withContext) Read(into []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(into)
}
