package catalog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"almanac/internal/memory"
)

// newestFirst is a list that is ordered by a time, newest first, then by an id.
type newestFirst[T any] struct {
	session  session
	scan     func(row) (T, error)
	query    query             // SELECT … FROM … WHERE …
	at, id   string            // the columns that it is ordered by
	position func(*T) Position // what a row has in them
	// lastIDFirst: rows of one time are ordered from the last id to the first.
	lastIDFirst bool
	upTo        *time.Time // rows with a later time are left out
	after       *Position  // so are the row at this position and those before it
}

// Position is the place of a thing in a list that is ordered by a time and an id.
type Position struct {
	At time.Time
	ID string
}

// measured is a value with the length of its texts.
type measured[T any] struct {
	value T
	bytes int64
}

// A list is read in parts of this many rows, or of this many bytes if that is less.
const (
	rowsAtOnce  = 1000
	bytesAtOnce = 4 << 20
)

// unlimited is the limit of a list that is read to its end.
const unlimited = -1

// read returns at most limit rows after the first offset ones. Rows are read part by part: no more than a part is in memory,
// and no connection is held while the caller does something with a row.
func (l newestFirst[T]) read(ctx context.Context, offset, limit int) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		offset, limit := offset, limit // of this reading: there may be another
		h := l.session.holding(ctx, 1)
		defer h.release()
		last := l.after
		for limit != 0 {
			count := rowsAtOnce
			if limit != unlimited {
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
			if limit != unlimited {
				limit -= len(part)
			}
			last, offset = new(l.position(&part[len(part)-1].value)), 0
			h.release()
		}
	}
}

// part reads the rows after the last one of the part before. It is complete if it holds as many as were asked for and there are; it is not
// if it became too long, or if there was no memory for more.
func (l newestFirst[T]) part(ctx context.Context, h *holding, last *Position, offset, count int) (part []measured[T], complete bool, err error) {
	query, args := l.query.text, slices.Clip(l.query.args)
	later, direction := ">", ""
	if l.lastIDFirst {
		later, direction = "<", " DESC"
	}
	switch {
	case last != nil:
		// Said in this way, an index finds where to go on.
		query += fmt.Sprintf(" AND %s <= ? AND (%s < ? OR %s %s ?)", l.at, l.at, l.id, later)
		args = append(args, millis(last.At), millis(last.At), last.ID)
	case l.upTo != nil:
		query += fmt.Sprintf(" AND %s <= ?", l.at)
		args = append(args, millis(*l.upTo))
	}
	query += fmt.Sprintf(" ORDER BY %s DESC, %s%s LIMIT ? OFFSET ?", l.at, l.id, direction)
	rows, err := l.session.conn.QueryContext(ctx, l.session.db.Rebind(query), append(args, count, offset)...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close() //nolint:errcheck // a read has nothing to lose; rows.Err tells of failures
	atOnce := h.part(bytesAtOnce)
	for bytes := int64(0); rows.Next(); {
		if bytes >= atOnce {
			return part, false, nil
		}
		counted := measuredRow{row: rows}
		item, err := l.scan(&counted)
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
		part = append(part, measured[T]{item, counted.bytes})
	}
	return part, true, rows.Err()
}
