package scheduled

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"almanac/internal/store"
	"almanac/internal/transfer/export"
)

// fileBytes is the size at which a file ends and the next one begins. A file of a quarter of it ends earlier, with the
// last row of a day, so that large files hold whole days where possible. Smaller ones do not: rows can have any date, and
// each day would cost an object.
const fileBytes = 256 << 20

// files writes the rows of a table into one or more objects.
type files struct {
	*window
	ctx     context.Context //nolint:containedctx // of the one run
	folder  string
	within  string
	columns []export.Column
	arrived *store.Window
	time    int // column with the time of a row; -1 if there is none
	day     int64
	current *object
	written int // number of complete files
}

// table writes a table.
func (w *window) table(ctx context.Context, folder, within string, table *export.Table, arrived *store.Window) error {
	f := &files{window: w, ctx: ctx, folder: folder, within: within, columns: table.Columns, arrived: arrived}
	f.time = slices.IndexFunc(table.Columns, func(c export.Column) bool { return c.Name == "start_time" || c.Name == "timestamp" })
	before := w.rows.Load()
	if err := f.begin(); err != nil { // a file is written even without rows
		return err
	}
	err := table.Write(ctx, f, func(count int64) { w.rows.Store(before + count) })
	if err != nil {
		f.current.abandon(err)
		return f.current.cause(ctx, err)
	}
	return nil
}

// Write writes a row, into another file if the current one is full.
func (f *files) Write(row []export.Value) error {
	day := f.day
	if f.time >= 0 {
		const dayMicros = 24 * 60 * 60 * 1_000_000
		day = row[f.time].Int / dayMicros
	}
	if size := f.current.measured.bytes; size >= f.fileBytes || size >= f.fileBytes/4 && day != f.day {
		if err := f.Close(); err != nil {
			return err
		}
		if err := f.begin(); err != nil {
			return err
		}
	}
	f.day = day
	f.current.file.RowCount++
	return f.current.rows.Write(row)
}

// begin begins a file.
func (f *files) begin() error {
	within := f.within
	if f.written > 0 {
		within += fmt.Sprintf("_%04d", f.written+1)
	}
	o, err := f.create(f.ctx, f.folder, within, f.columns, f.arrived)
	if err == nil {
		f.current = o
	}
	return err
}

// Close completes the current file.
func (f *files) Close() error {
	file, err := f.current.finish(f.ctx)
	if err == nil {
		f.files = append(f.files, file)
		f.written++
	}
	return err
}

// hashingWriter counts and hashes what is written.
type hashingWriter struct {
	to    io.Writer
	hash  hash.Hash
	bytes int64
	job   *job
}

func (m *hashingWriter) Write(b []byte) (int, error) {
	n, err := m.to.Write(b)
	m.hash.Write(b[:n])
	m.bytes += int64(n)
	m.job.bytes.Add(int64(n))
	return n, err
}

// object is a file that is being uploaded.
type object struct {
	file     export.ManifestFile
	measured *hashingWriter
	buffered *bufio.Writer
	packer   *gzip.Writer // nil if the file is not compressed
	rows     export.Writer
	pipe     *io.PipeWriter
	stop     context.CancelFunc
	sent     chan error
}

// create begins an upload.
func (w *window) create(ctx context.Context, folder, within string, columns []export.Column, arrived *store.Window) (*object, error) {
	format := strings.ToLower(w.run.FileType)
	f := export.ManifestFile{
		Table: folder, FileType: w.run.FileType, Format: format, ContentType: export.ContentType(format),
		Compressed: w.run.Compressed && format != export.Parquet, // Parquet is compressed already
	}
	extension := format
	switch {
	case f.Compressed:
		extension, f.Format, f.ContentType = format+".gz", format+"-gzip", "application/gzip"
	case format != export.Parquet:
		f.Format = format + "-raw"
	}
	if arrived != nil {
		f.After, f.UpTo = &arrived.After, &arrived.UpTo
	}
	f.Key = w.key(folder, within, extension)
	sending, stop := context.WithCancel(ctx)
	read, write := io.Pipe()
	o := &object{
		file: f, measured: &hashingWriter{to: write, hash: sha256.New(), job: w.job}, pipe: write, stop: stop, sent: make(chan error, 1),
	}
	o.buffered = bufio.NewWriterSize(o.measured, 64<<10)
	into := io.Writer(o.buffered)
	if f.Compressed {
		o.packer = gzip.NewWriter(o.buffered)
		into = o.packer
	}
	var err error
	if o.rows, err = export.NewWriter(format, into, columns, export.Scheduled); err != nil {
		stop()
		return nil, err
	}
	go func() {
		err := w.bucket.Upload(sending, f.Key, f.ContentType, read)
		if err == nil {
			_, err = io.Copy(io.Discard, read) // nothing should be left
		}
		_ = read.CloseWithError(fmt.Errorf("the upload ended: %w", orEOF(err)))
		o.sent <- err
	}()
	return o, nil
}

// finish completes the upload.
func (o *object) finish(ctx context.Context) (export.ManifestFile, error) {
	err := o.rows.Close()
	if err == nil && o.packer != nil {
		err = o.packer.Close()
	}
	if err == nil {
		err = o.buffered.Flush()
	}
	o.abandon(err) // nil means EOF
	if err := o.cause(ctx, err); err != nil {
		return o.file, err
	}
	o.file.SizeBytes, o.file.SHA256 = o.measured.bytes, hex.EncodeToString(o.measured.hash.Sum(nil))
	return o.file, nil
}

// abandon ends the data of the upload. With an error, the object is not written.
func (o *object) abandon(err error) { _ = o.pipe.CloseWithError(err) }

// cause waits for the upload to end and returns its error, or err if the upload failed only because of that.
func (o *object) cause(ctx context.Context, err error) error {
	defer o.stop()
	failed := <-o.sent
	o.sent <- failed // it may be asked for again
	if failed != nil && (err == nil || ctx.Err() == nil && isPipe(err)) {
		return fmt.Errorf("cannot write %s: %w", o.file.Key, failed)
	}
	return err
}
