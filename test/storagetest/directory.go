package storagetest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"almanac/internal/blob"
)

// Directory is a bucket of scheduled exports that stores objects as files.
type Directory string

func (d Directory) path(name string) string { return filepath.Join(string(d), name) }

// Upload writes a file.
func (d Directory) Upload(_ context.Context, name, _ string, r io.Reader) error {
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.path(name)), 0o700); err != nil {
		return err
	}
	return os.WriteFile(d.path(name), content, 0o600)
}

// Download opens a file.
func (d Directory) Download(_ context.Context, name string) (io.ReadCloser, int64, error) {
	file, err := os.Open(d.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, blob.ErrNotFound
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// Delete removes a file.
func (d Directory) Delete(_ context.Context, name string) error {
	if err := os.Remove(d.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Close does nothing.
func (Directory) Close() {}
