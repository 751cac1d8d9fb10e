// Package blob keeps bytes under keys: in a directory, or in a bucket of an S3-compatible store.
//
// A key is written once and then only read and removed, so that nobody ever sees half of one, and what is removed cannot be
// something newer.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The error kinds. Stores wrap them with what was attempted.
var (
	// ErrNotFound means that there is nothing under a key.
	ErrNotFound = errors.New("no such blob")
	// ErrLength means that there were fewer or more bytes than announced.
	ErrLength = errors.New("not as many bytes as announced")
	// ErrNoSpace means that too little disk space is left to write safely.
	ErrNoSpace = errors.New("too little disk space is left")
)

// Store keeps blobs. It is safe for use by many goroutines.
type Store interface {
	// Put keeps what a reader gives, which must be exactly size bytes. When it returns nil they survive a crash of the
	// machine. On an error, also one of the reader, nothing is kept.
	Put(ctx context.Context, key string, r io.Reader, size int64) error
	// Open returns a blob of so many bytes. It is read from wherever the reader is moved to.
	Open(ctx context.Context, key string, size int64) (io.ReadSeekCloser, error)
	// Remove removes a blob. Removing what is not there is no error.
	Remove(ctx context.Context, key string) error
}

// maxKey is how long a key may be.
const maxKey = 100

// checkKey refuses what is not a key. Keys are made by us, so that this never happens; it is here since keys become names
// of files.
func checkKey(key string) error {
	other := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	if len(key) < 2*fanOut || len(key) > maxKey || strings.ContainsFunc(key, other) {
		return fmt.Errorf("%.100q is no key of a blob: keys have %d to %d lower-case letters and digits", key, 2*fanOut, maxKey)
	}
	return nil
}

// fanOut is how many characters of a key name a directory, at each of two levels: no directory becomes too large.
const fanOut = 2

// Place returns the path of a key within a directory or a bucket.
func Place(key string) string {
	return key[:fanOut] + "/" + key[fanOut:2*fanOut] + "/" + key
}

// exactly reads as many bytes as there must be, and fails if there are fewer or more. The last of them are not given out
// before it is known that nothing follows.
type exactly struct {
	r     io.Reader
	left  int64
	ended bool
}

func (e *exactly) Read(into []byte) (int, error) {
	if e.left == 0 {
		if err := e.end(); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	if int64(len(into)) > e.left {
		into = into[:e.left]
	}
	n, err := e.r.Read(into)
	e.left -= int64(n)
	switch {
	case e.left == 0:
		if err == nil || errors.Is(err, io.EOF) {
			err = e.end()
		}
		if err != nil {
			return 0, err
		}
		return n, nil
	case errors.Is(err, io.EOF):
		return n, fmt.Errorf("%w: %d are missing", ErrLength, e.left)
	}
	return n, err
}

// end reports whether the reader ends here.
func (e *exactly) end() error {
	if e.ended {
		return nil
	}
	var one [1]byte
	for {
		n, err := e.r.Read(one[:])
		switch {
		case n > 0:
			return fmt.Errorf("%w: there are more", ErrLength)
		case errors.Is(err, io.EOF):
			e.ended = true
			return nil
		case err != nil:
			return err
		}
	}
}
