package disk

import (
	"io"
	"os"
)

// File is a file opened for writing.
type File struct {
	disk    Disk
	file    *os.File
	appends bool
}

// Name returns the path that the file was opened with.
func (f *File) Name() string { return f.file.Name() }

// Stat returns information about the file.
func (f *File) Stat() (os.FileInfo, error) { return f.file.Stat() }

// Seek sets the position of the next write.
func (f *File) Seek(offset int64, whence int) (int64, error) { return f.file.Seek(offset, whence) }

// Close closes the file. It does not sync it.
func (f *File) Close() error { return f.file.Close() }

// Write writes at the current position.
func (f *File) Write(p []byte) (int, error) {
	if f.disk.watch == nil {
		return f.file.Write(p)
	}
	return f.watchedWrite(p)
}

// watchedWrite is separate so that Write does not allocate.
func (f *File) watchedWrite(p []byte) (n int, err error) {
	offset, err := f.place()
	if err != nil {
		return 0, err
	}
	c := &Change{Kind: Write, File: f, Path: f.Name(), Offset: offset, Data: p}
	err = f.disk.watch(c, func() (err error) {
		n, err = f.file.Write(c.Data)
		return err
	})
	return n, err
}

// place returns the position of the next write.
func (f *File) place() (int64, error) {
	if f.appends {
		return f.file.Seek(0, io.SeekEnd)
	}
	return f.file.Seek(0, io.SeekCurrent)
}

// ReadFrom writes everything from r. If r is a file, the kernel copies it.
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	if f.disk.watch == nil {
		return f.file.ReadFrom(r)
	}
	return io.Copy(struct{ io.Writer }{f}, r)
}

// Truncate changes the size of the file.
func (f *File) Truncate(size int64) error {
	if f.disk.watch == nil {
		return f.truncate(size)
	}
	return f.disk.watch(&Change{Kind: Truncate, File: f, Path: f.Name(), Size: size}, func() error { return f.truncate(size) })
}

// truncate reopens a file in append mode, since Windows cannot truncate it otherwise.
func (f *File) truncate(size int64) error {
	if f.appends {
		return os.Truncate(f.Name(), size)
	}
	return f.file.Truncate(size)
}

// Sync waits until everything written to the file is durable.
func (f *File) Sync(site Site) error {
	if f.disk.watch == nil {
		return f.file.Sync()
	}
	return f.disk.watch(&Change{Kind: Sync, File: f, Path: f.Name(), Site: site}, f.file.Sync)
}
