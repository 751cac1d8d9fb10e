package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"almanac/internal/blob"
	"almanac/internal/catalog/exports"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
)

// partBytes is the size of the parts in which a file is written, unless there is little memory. A part is buffered in
// memory.
const partBytes = 8 << 20

// partFor returns the size of the parts of a file that is written with a lease.
func partFor(l *memory.Lease) int {
	const share = 16
	return int(min(partBytes, max(l.Max()/share, 64<<10)))
}

// partWriter writes a file as parts, each of which is a blob. A blob store must know the size of a blob in advance, and
// that of a file is unknown.
type partWriter struct {
	ctx    context.Context
	job    *job
	parts  int
	buffer []byte
}

func (w *partWriter) Write(b []byte) (int, error) {
	written := len(b)
	for len(b) > 0 {
		some := min(len(b), cap(w.buffer)-len(w.buffer))
		w.buffer, b = append(w.buffer, b[:some]...), b[some:]
		if len(w.buffer) == cap(w.buffer) {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	return written, nil
}

// flush writes a part.
func (w *partWriter) flush() error {
	if len(w.buffer) == 0 {
		return nil
	}
	r := w.job
	part := domain.ExportPart{BlobKey: domain.NewID(), Bytes: int64(len(w.buffer))}
	if r.Room != nil {
		if err := r.Room(part.Bytes); err != nil {
			return err
		}
	}
	// A crash leaves a blob that is recorded as unused.
	if err := r.Catalog.BeginBlobs(w.ctx, part.BlobKey); err != nil {
		return err
	}
	if err := r.Blobs.Put(w.ctx, part.BlobKey, &bytesReader{b: w.buffer}, part.Bytes); err != nil {
		return err
	}
	if err := w.job.update(func(l *exports.ExportLease) error {
		l.Bytes += part.Bytes
		return r.Catalog.AddExportPart(w.ctx, l, w.parts, part)
	}); err != nil {
		return err
	}
	w.parts++
	w.buffer = w.buffer[:0]
	return nil
}

// bytesReader reads bytes once. It hides the slice from callers that would otherwise copy it as a whole.
type bytesReader struct{ b []byte }

func (r *bytesReader) Read(into []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(into, r.b)
	r.b = r.b[n:]
	return n, nil
}

// File is the file of an export, assembled from its parts while it is read.
type File struct {
	ctx   context.Context
	blobs blob.Store
	parts []domain.ExportPart
	ends  []int64 // end offsets of the parts
	at    int64
	open  io.ReadSeekCloser // the part read last; nil if none
	which int
}

// NewFile returns the file made of the given parts.
func NewFile(ctx context.Context, blobs blob.Store, parts []domain.ExportPart) *File {
	f := &File{ctx: ctx, blobs: blobs, parts: parts}
	size := int64(0)
	for _, p := range parts {
		size += p.Bytes
		f.ends = append(f.ends, size)
	}
	return f
}

// Size returns the size of the file in bytes.
func (f *File) Size() int64 {
	if len(f.ends) == 0 {
		return 0
	}
	return f.ends[len(f.ends)-1]
}

// Read reads from the part that holds the next byte.
func (f *File) Read(into []byte) (int, error) {
	if f.at >= f.Size() {
		return 0, io.EOF
	}
	which, _ := slices.BinarySearchFunc(f.ends, f.at, func(end, at int64) int {
		if end <= at {
			return -1
		}
		return 1
	})
	if f.open == nil || which != f.which {
		if err := f.Close(); err != nil {
			return 0, err
		}
		part := f.parts[which]
		open, err := f.blobs.Open(f.ctx, part.BlobKey, part.Bytes)
		if err != nil {
			return 0, err
		}
		f.open, f.which = open, which
	}
	if _, err := f.open.Seek(f.at-(f.ends[which]-f.parts[which].Bytes), io.SeekStart); err != nil {
		return 0, err
	}
	into = into[:min(int64(len(into)), f.ends[which]-f.at)]
	n, err := f.open.Read(into)
	f.at += int64(n)
	if n > 0 || !errors.Is(err, io.EOF) {
		return n, err
	}
	return 0, io.ErrUnexpectedEOF
}

// Seek sets the offset of the next Read.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.Size()
	}
	if offset < 0 {
		return f.at, fmt.Errorf("cannot seek to offset %d in a file", offset)
	}
	f.at = offset
	return offset, nil
}

// Close closes the open part.
func (f *File) Close() error {
	if f.open == nil {
		return nil
	}
	err := f.open.Close()
	f.open = nil
	return err
}

// FileName returns the name under which a file is downloaded, of which the request says whether it is compressed.
func FileName(e *domain.Export, q *Request) string {
	at := e.CreatedAt
	if e.AsOf != nil {
		at = *e.AsOf
	}
	name := "almanac-" + e.Table + "-" + at.UTC().Format("2006-01-02T15-04-05Z") + "." + e.Format
	if q.Compressed {
		name += ".gz"
	}
	return name
}
