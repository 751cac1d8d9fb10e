package disk

import (
	"io"
	"os"
)

// File is a file that is written to.
type File struct {
	disk    Disk
	file    *os.File
	appends bool
}

// Name returns the path that the file was opened with.
func (f *File) Name() string { return f.file.Name() }

// Stat returns what is known of the file.
func (f *File) Stat() (os.FileInfo, error) { return f.file.Stat() }

// Seek moves the place of the next write.
func (f *File) Seek(offset int64, whence int) (int64, error) { return f.file.Seek(offset, whence) }

// Close closes the file. That brings nothing to disk.
func (f *File) Close() error { return f.file.Close() }

// Write writes at the place where the last write ended.
func (f *File) Write(p []byte) (int, error) {
	if f.disk.watch == nil {
		return f.file.Write(p)
	}
	return f.watchedWrite(p)
}

// watchedWrite is apart so that Write allocates nothing.
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

// place returns where the next write goes.
func (f *File) place() (int64, error) {
	if f.appends {
		return f.file.Seek(0, io.SeekEnd)
	}
	return f.file.Seek(0, io.SeekCurrent)
}

// ReadFrom writes what a reader gives. If that is a file, the system copies it.
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

// truncate opens a file again that is appended to: Windows allows nothing else with it then.
func (f *File) truncate(size int64) error {
	if f.appends {
		return os.Truncate(f.Name(), size)
	}
	return f.file.Truncate(size)
}

// Sync waits until all that was written to the file is on disk.
func (f *File) Sync(site Site) error {
	if f.disk.watch == nil {
		return f.file.Sync()
	}
	return f.disk.watch(&Change{Kind: Sync, File: f, Path: f.Name(), Site: site}, f.file.Sync)
}
