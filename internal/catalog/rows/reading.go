package rows

import (
	"context"
	"errors"

	"almanac/internal/domain"
	"almanac/internal/memory"
)

// Reads account for their memory with the lease of the context. Nobody waits for memory while holding a connection: there are few, and
// whoever holds the memory may need one before releasing it. So a read that finds no room closes its rows, waits, and starts again.

const (
	// uncounted is how many bytes of text one read may return without accounting. Most return less.
	uncounted = 16 << 10
	// jsonCopies is how many more bytes each byte of text takes while it is marshaled: the buffer grows by doubling.
	jsonCopies = 2
)

// Row is what a scan function reads from.
type Row interface{ Scan(dest ...any) error }

// measuredRow is a row that counts the bytes of the texts scanned from it.
type measuredRow struct {
	Row
	bytes int64
}

// Scan reads the columns.
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
	copies int64 // how often each text is in memory
	used   int64
	taken  int64
}

// holding returns what counts the memory of a read. One in a transaction is not counted: it holds what others wait for, and reads little.
func (s Session) holding(ctx context.Context, copies int64) *holding {
	h := &holding{copies: copies}
	if s.changes == nil {
		h.lease = memory.Of(ctx)
	}
	return h
}

// part returns how much of a list is read at once, at most so many bytes: a lease that may hold little has room for more than that.
func (h *holding) part(bytes int64) int64 {
	const share = 8
	if h.lease == nil {
		return bytes
	}
	return min(bytes, h.lease.Most()/share)
}

// add counts bytes more. It fails with memory.ErrBusy if others would have to give back something first.
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

// wait gives back what was taken, and waits until there is room for what has been used and as much again, if one may have as much.
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

// trim gives back what was taken and not used.
func (h *holding) trim() {
	if spare := h.taken - h.copies*h.used; spare > 0 {
		h.lease.Shrink(spare)
		h.taken -= spare
	}
}

// release gives everything back.
func (h *holding) release() {
	h.lease.Shrink(h.taken)
	h.used, h.taken = 0, 0
}

// handOver calls a function that makes JSON of something with texts of so many bytes, and holds the memory for that meanwhile.
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

// QueryAll returns all rows. Their memory is given back at the end of the request, or as the session says.
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
	rows, err := s.Conn.QueryContext(ctx, s.SQL.Rebind(query), storable(args)...)
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

// QueryOne returns the only row, or domain.ErrNotFound.
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

// Exists reports whether a query has a row.
func (s Session) Exists(ctx context.Context, query string, args ...any) (bool, error) {
	found, err := QueryAll(ctx, s, func(Row) (struct{}, error) { return struct{}{}, nil }, query, args...)
	return len(found) > 0, err
}

// QueryMap returns all rows by their keys.
func QueryMap[K comparable, V any](ctx context.Context, s Session, scan func(Row) (K, V, error), query string, args ...any) (map[K]V, error) {
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

// OneByOne returns the session with the function that gives back the memory of what was read with it: for lists that have one thing in
// memory at a time.
func (s Session) OneByOne(ctx context.Context) (_ Session, release func()) {
	s.taken = new(int64)
	return s, func() {
		memory.Of(ctx).Shrink(*s.taken)
		*s.taken = 0
	}
}

// ScanInto returns what reads a row into the fields of a thing.
func ScanInto[T any](fields func(*T) []any) func(Row) (T, error) {
	return func(r Row) (thing T, err error) {
		err = r.Scan(fields(&thing)...)
		return thing, err
	}
}

// ScanValue reads a row of one column.
func ScanValue[T any](r Row) (value T, err error) {
	err = r.Scan(&value)
	return value, err
}
