package segment

import (
	"context"
	"errors"
	"sync/atomic"

	"almanac/internal/memory"
)

// keptPages is how much memory one call keeps in pages of long columns for rows to come, and keptShare how much that is at most of what a
// request may hold. A row may need more, which it has alone.
const (
	keptPages = 8 << 20
	keptShare = 4
)

// holding is the memory that one call, or one reader of it, holds in decoded pages. It is taken from the lease of the call's context
// before a page is decoded. A nil holding counts nothing.
type holding struct {
	ctx   context.Context //nolint:containedctx // of the one call
	lease *memory.Lease
	kept  int64 // how much of long columns is kept for rows to come
	long  int64 // in pages of long columns, which one goroutine reads
	// full: it holds as much as one request may. The rest of its narrow pages is not counted, since nobody else can do the same.
	full atomic.Bool
}

func newHolding(ctx context.Context) *holding {
	h := &holding{ctx: ctx, lease: memory.Of(ctx), kept: keptPages}
	if h.lease != nil {
		h.kept = min(h.kept, h.lease.Most()/keptShare)
	}
	return h
}

// takeLong counts a page of a long column that is about to be decoded.
func (h *holding) takeLong(bytes int64) error {
	if h == nil {
		return nil
	}
	if err := h.lease.Grow(h.ctx, bytes); err != nil {
		return err
	}
	h.long += bytes
	return nil
}

// takeShort counts pages of the other columns. They are small, and there are many: a scan of everything keeps those of a row group.
// It returns how much of them was counted.
func (h *holding) takeShort(bytes int64) (int64, error) {
	if h == nil || h.full.Load() {
		return 0, nil
	}
	switch err := h.lease.Grow(h.ctx, bytes); {
	case errors.Is(err, memory.ErrTooLarge):
		h.full.Store(true)
		return 0, nil
	case err != nil:
		return 0, err
	}
	return bytes, nil
}

func (h *holding) giveBack(long, short int64) {
	if h != nil && long+short > 0 {
		h.lease.Shrink(long + short)
		h.long -= long
	}
}

// crowded reports whether pages should be dropped before another row is read.
func (h *holding) crowded() bool { return h != nil && h.long > h.kept }
