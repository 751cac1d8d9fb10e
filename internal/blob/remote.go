package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/minio/minio-go/v7"
)

// remoteReader reads a blob of a bucket. It requests the rest of the blob from the current position, also after the
// connection was cut.
type remoteReader struct {
	ctx    context.Context // of the reading request
	bucket *Bucket
	key    string
	size   int64
	at     int64         // position of the next read
	body   io.ReadCloser // current response body; nil if there is none
	bodyAt int64         // position of the next byte of body
	cuts   int           // number of cut connections since the last byte
}

func (r *remoteReader) ask() error {
	var options minio.GetObjectOptions
	options.Set("Range", "bytes="+strconv.FormatInt(r.at, 10)+"-")
	body, info, _, err := r.bucket.core.GetObject(r.ctx, r.bucket.name, r.bucket.object(r.key), options)
	if err != nil {
		return r.bucket.explain("read", r.key, err)
	}
	if want := r.size - r.at; info.Size != want {
		_ = body.Close()
		return fmt.Errorf("the media bucket has %d bytes of %s from offset %d on, expected %d", info.Size, r.key, r.at, want)
	}
	r.body, r.bodyAt = body, r.at
	return nil
}

func (r *remoteReader) Read(into []byte) (int, error) {
	for {
		if r.at >= r.size {
			return 0, io.EOF
		}
		if r.body != nil && r.bodyAt != r.at {
			if err := r.Close(); err != nil {
				return 0, err
			}
		}
		if r.body == nil {
			if err := r.ask(); err != nil {
				return 0, err
			}
		}
		n, err := r.body.Read(into)
		r.at, r.bodyAt = r.at+int64(n), r.bodyAt+int64(n)
		switch {
		case n > 0:
			r.cuts = 0
			return n, nil // an error will come again
		case err == nil:
			return 0, nil
		case r.cuts == attempts || r.ctx.Err() != nil:
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, fmt.Errorf("the media bucket stopped at %d of %d bytes of %s: %w", r.at, r.size, r.key, err)
		}
		r.cuts++
		_ = r.Close() // it is of no further use
	}
}

// Seek only sets the position. Callers seek to the end and back to learn the length.
func (r *remoteReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return r.at, fmt.Errorf("cannot seek to offset %d in media", offset)
	}
	r.at = offset
	return offset, nil
}

// Close closes the current response, if any.
func (r *remoteReader) Close() error {
	if r.body == nil {
		return nil
	}
	err := r.body.Close()
	r.body = nil
	return err
}
