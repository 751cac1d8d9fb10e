package tables

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"almanac/internal/limits/memory"
)

// NewestFirst is a list ordered by time, newest first, and then by id.
type NewestFirst[T any] struct {
	Session  Session
	Scan     func(Row) (T, error)
	Query    Query             // SELECT … FROM … WHERE …
	At, ID   string            // the columns to order by
	Position func(*T) Position // the values of a row in them
	// LastIDFirst orders rows with the same time by descending id.
	LastIDFirst bool
	UpTo        *time.Time // rows with a later time are left out
	After       *Position  // so are the row at this position and those before it
}

// Position is the place of an item in a list that is ordered by time and id.
type Position struct {
	At time.Time
	ID string
}

// sized is a value with the total length of its strings.
type sized[T any] struct {
	value T
	bytes int64
}

// A list is read in parts of this many rows, or this many bytes if that is reached first.
const (
	rowsAtOnce  = 1000
	bytesAtOnce = 4 << 20
)

// Unlimited is the limit for reading a list to its end.
const Unlimited = -1

// Read returns at most limit rows after skipping offset. Rows are read in parts: only one part is in memory at a time,
// and no connection is held while the caller handles a row.
func (l NewestFirst[T]) Read(ctx context.Context, offset, limit int) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		offset, limit := offset, limit // copies, since the sequence may be iterated again
		h := l.Session.holding(ctx, 1)
		defer h.release()
		last := l.After
		for limit != 0 {
			count := rowsAtOnce
			if limit != Unlimited {
				count = min(count, limit)
			}
			part, complete, err := l.part(ctx, h, last, offset, count)
			if errors.Is(err, memory.ErrBusy) {
				if err = h.wait(ctx); err == nil {
					continue
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for n := range part {
				if !h.handOver(ctx, part[n].bytes, func(err error) bool { return yield(&part[n].value, err) }) {
					return
				}
			}
			if complete && len(part) < count {
				return
			}
			if limit != Unlimited {
				limit -= len(part)
			}
			last, offset = new(l.Position(&part[len(part)-1].value)), 0
			h.release()
		}
	}
}

// part reads the rows after the last row of the previous part. It is complete if it has all requested rows, or all that
// exist; it is not if it reached its size limit, or if there was no memory for more.
func (l NewestFirst[T]) part(
	ctx context.Context, h *holding, last *Position, offset, count int,
) (part []sized[T], complete bool, err error) {
	query, args := l.Query.Text, slices.Clip(l.Query.Args)
	later, direction := ">", ""
	if l.LastIDFirst {
		later, direction = "<", " DESC"
	}
	switch {
	case last != nil:
		// In this form, an index can be used to find the place to continue.
		query += fmt.Sprintf(" AND %s <= ? AND (%s < ? OR %s %s ?)", l.At, l.At, l.ID, later)
		args = append(args, Millis(last.At), Millis(last.At), last.ID)
	case l.UpTo != nil:
		query += fmt.Sprintf(" AND %s <= ?", l.At)
		args = append(args, Millis(*l.UpTo))
	}
	query += fmt.Sprintf(" ORDER BY %s DESC, %s%s LIMIT ? OFFSET ?", l.At, l.ID, direction)
	rows, err := l.Session.Conn.QueryContext(ctx, l.Session.SQL.Rebind(query), append(args, count, offset)...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close() //nolint:errcheck // a read has nothing to lose; rows.Err tells of failures
	atOnce := h.part(bytesAtOnce)
	for bytes := int64(0); rows.Next(); {
		if bytes >= atOnce {
			return part, false, nil
		}
		counted := measuredRow{Row: rows}
		item, err := l.Scan(&counted)
		if err != nil {
			return nil, false, err
		}
		err = h.add(counted.bytes)
		if (errors.Is(err, memory.ErrBusy) || errors.Is(err, memory.ErrTooLarge)) && len(part) > 0 {
			return part, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		bytes += counted.bytes
		part = append(part, sized[T]{item, counted.bytes})
	}
	return part, true, rows.Err()
}
