package tables

import (
	"context"
	"errors"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
)

// Reads account for their memory with the lease in the context. They must not wait for memory while holding a
// connection: there are few, and the holder of the memory may need one before releasing it. So a read that finds no
// memory available closes its rows, waits, and starts over.

const (
	// uncounted is the number of bytes of strings that one read may return without accounting. Most return less.
	uncounted = 16 << 10
	// jsonCopies is the number of additional bytes that each byte of a string takes while it is marshaled: the buffer
	// grows by doubling.
	jsonCopies = 2
)

// Row is what a scan function reads from.
type Row interface{ Scan(dest ...any) error }

// measuredRow is a row that counts the bytes of the strings scanned from it.
type measuredRow struct {
	Row
	bytes int64
}

// Scan reads the columns and adds the lengths of the strings.
func (r *measuredRow) Scan(dest ...any) error {
	if err := r.Row.Scan(dest...); err != nil {
		return err
	}
	for _, to := range dest {
		switch v := to.(type) {
		case *string:
			r.bytes += int64(len(*v))
		case **string:
			if *v != nil {
				r.bytes += int64(len(**v))
			}
		case *Column:
			r.bytes += v.bytes
		}
	}
	return nil
}

// holding is the memory that a read has taken.
type holding struct {
	lease  *memory.Lease
	copies int64 // how many copies of each string are in memory
	used   int64
	taken  int64
}

// holding returns the memory accounting for a read. Reads in a transaction are not counted: they hold what others wait
// for, and read little.
func (s Session) holding(ctx context.Context, copies int64) *holding {
	h := &holding{copies: copies}
	if s.changes == nil {
		h.lease = memory.Of(ctx)
	}
	return h
}

// part returns the size of the parts in which to read a list: at most bytes, and only a fraction of what the lease may
// hold, so that there is room for more than one part.
func (h *holding) part(bytes int64) int64 {
	const share = 8
	if h.lease == nil {
		return bytes
	}
	return min(bytes, h.lease.Max()/share)
}

// add counts additional bytes. It returns memory.ErrBusy if others would have to release memory first.
func (h *holding) add(bytes int64) error {
	h.used += bytes
	more := h.copies*h.used - h.taken
	if h.used <= uncounted || more <= 0 {
		return nil
	}
	if err := h.lease.TryGrow(more); err != nil {
		return err
	}
	h.taken += more
	return nil
}

// wait releases the memory taken, and waits until twice the memory used so far is available, or just that much if the
// lease may not hold twice as much.
func (h *holding) wait(ctx context.Context) error {
	needed := h.copies * h.used
	h.lease.Shrink(h.taken)
	h.used, h.taken = 0, 0
	for _, bytes := range []int64{2 * needed, needed} {
		err := h.lease.Grow(ctx, bytes)
		if err == nil {
			h.taken = bytes
			return nil
		}
		if !errors.Is(err, memory.ErrTooLarge) || bytes == needed {
			return err
		}
	}
	return nil
}

// trim releases memory that was taken and not used.
func (h *holding) trim() {
	if spare := h.taken - h.copies*h.used; spare > 0 {
		h.lease.Shrink(spare)
		h.taken -= spare
	}
}

// release releases all memory.
func (h *holding) release() {
	h.lease.Shrink(h.taken)
	h.used, h.taken = 0, 0
}

// handOver calls yield, which marshals an item with strings of the given size, and holds the memory for that meanwhile.
func (h *holding) handOver(ctx context.Context, bytes int64, yield func(error) bool) bool {
	if bytes <= uncounted {
		return yield(nil)
	}
	if err := h.lease.Grow(ctx, jsonCopies*bytes); err != nil {
		yield(err)
		return false
	}
	defer h.lease.Shrink(jsonCopies * bytes)
	return yield(nil)
}

// Hold takes memory for what is kept of a row that was handed over, until the end of the request.
func Hold(ctx context.Context, bytes int64) error { return memory.Of(ctx).Grow(ctx, bytes) }

// QueryAll returns all rows. Their memory is released at the end of the request, or by the release function of
// ScopedMemory.
func QueryAll[T any](ctx context.Context, s Session, scan func(Row) (T, error), query string, args ...any) ([]T, error) {
	h := s.holding(ctx, 1+jsonCopies)
	for {
		all, err := readAll(ctx, s, h, scan, query, args)
		if errors.Is(err, memory.ErrBusy) {
			if err = h.wait(ctx); err == nil {
				continue
			}
		}
		if err != nil {
			h.release()
			return nil, err
		}
		h.trim()
		if s.taken != nil {
			*s.taken += h.taken
		}
		return all, nil
	}
}

func readAll[T any](ctx context.Context, s Session, h *holding, scan func(Row) (T, error), query string, args []any) ([]T, error) {
	rows, err := s.Conn.QueryContext(ctx, s.SQL.Rebind(query), sanitized(args)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // a read has nothing to lose; rows.Err tells of failures
	var all []T
	for rows.Next() {
		measured := measuredRow{Row: rows}
		item, err := scan(&measured)
		if err != nil {
			return nil, err
		}
		if err := h.add(measured.bytes); err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, rows.Err()
}

// QueryOne returns the first row, or domain.ErrNotFound if there is none.
func QueryOne[T any](ctx context.Context, s Session, scan func(Row) (T, error), query string, args ...any) (T, error) {
	all, err := QueryAll(ctx, s, scan, query, args...)
	if err != nil || len(all) == 0 {
		var none T
		if err == nil {
			err = domain.ErrNotFound
		}
		return none, err
	}
	return all[0], nil
}

// Exists reports whether a query returns any row.
func (s Session) Exists(ctx context.Context, query string, args ...any) (bool, error) {
	found, err := QueryAll(ctx, s, func(Row) (struct{}, error) { return struct{}{}, nil }, query, args...)
	return len(found) > 0, err
}

// QueryMap returns all rows by key.
func QueryMap[K comparable, V any](
	ctx context.Context, s Session, scan func(Row) (K, V, error), query string, args ...any,
) (map[K]V, error) {
	type entry struct {
		key   K
		value V
	}
	all, err := QueryAll(ctx, s, func(r Row) (e entry, err error) {
		e.key, e.value, err = scan(r)
		return e, err
	}, query, args...)
	found := make(map[K]V, len(all))
	for _, e := range all {
		found[e.key] = e.value
	}
	return found, err
}

// ScopedMemory returns a session and a function that releases the memory of whatever was read with it. It is for sequences
// that have one item in memory at a time.
func (s Session) ScopedMemory(ctx context.Context) (_ Session, release func()) {
	s.taken = new(int64)
	return s, func() {
		memory.Of(ctx).Shrink(*s.taken)
		*s.taken = 0
	}
}

// ScanInto returns a function that scans a row into the fields of a T.
func ScanInto[T any](fields func(*T) []any) func(Row) (T, error) {
	return func(r Row) (record T, err error) {
		err = r.Scan(fields(&record)...)
		return record, err
	}
}

// ScanValue reads a row of one column.
func ScanValue[T any](r Row) (value T, err error) {
	err = r.Scan(&value)
	return value, err
}
