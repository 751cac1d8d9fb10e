package segment

import (
	"context"
	"errors"
	"sync/atomic"

	"almanac/internal/limits/memory"
)

// keptPages is how much memory a call keeps in pages of long columns for later rows; at most one keptShare-th of what a
// request may hold. A single row may need more, and then has it for itself.
const (
	keptPages = 8 << 20
	keptShare = 4
)

// memoryAccount accounts for the memory that one call, or one of its readers, holds in decoded pages. It is taken from
// the lease of the call's context before a page is decoded. A nil memoryAccount counts nothing.
type memoryAccount struct {
	ctx   context.Context //nolint:containedctx // of the one call
	lease *memory.Lease
	kept  int64 // limit for pages of long columns kept for later rows
	long  int64 // held in pages of long columns, which a single goroutine reads
	// full is set once the call holds as much as a request may. The rest of its narrow pages is not counted, since no
	// other request can do the same.
	full atomic.Bool
}

func newMemoryAccount(ctx context.Context) *memoryAccount {
	h := &memoryAccount{ctx: ctx, lease: memory.Of(ctx), kept: keptPages}
	if h.lease != nil {
		h.kept = min(h.kept, h.lease.Max()/keptShare)
	}
	return h
}

// takeLong reserves memory for a page of a long column that is about to be decoded.
func (h *memoryAccount) takeLong(bytes int64) error {
	if h == nil {
		return nil
	}
	if err := h.lease.Grow(h.ctx, bytes); err != nil {
		return err
	}
	h.long += bytes
	return nil
}

// takeShort reserves memory for pages of other columns. They are small and numerous: a full scan keeps those of a row
// group. It returns how much was counted.
func (h *memoryAccount) takeShort(bytes int64) (int64, error) {
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

func (h *memoryAccount) giveBack(long, short int64) {
	if h != nil && long+short > 0 {
		h.lease.Shrink(long + short)
		h.long -= long
	}
}

// crowded reports whether pages should be dropped before another row is read.
func (h *memoryAccount) crowded() bool { return h != nil && h.long > h.kept }
