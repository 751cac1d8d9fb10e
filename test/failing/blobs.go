package failing

import (
	"context"
	"io"

	"almanac/internal/blob"
)

// Blobs returns a blob store whose calls fail as the switch says.
func (s *Switch) Blobs(whole blob.Store) blob.Store { return blobs{whole, s} }

type blobs struct {
	blob.Store
	s *Switch
}

// Put stores a blob.
func (b blobs) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if err := b.s.Call("blobs: put"); err != nil {
		return err
	}
	return b.Store.Put(ctx, key, r, size)
}

// Open opens a blob.
func (b blobs) Open(ctx context.Context, key string, size int64) (io.ReadSeekCloser, error) {
	if err := b.s.Call("blobs: open"); err != nil {
		return nil, err
	}
	return b.Store.Open(ctx, key, size)
}

// Remove removes a blob.
func (b blobs) Remove(ctx context.Context, key string) error {
	if err := b.s.Call("blobs: remove"); err != nil {
		return err
	}
	return b.Store.Remove(ctx, key)
}
