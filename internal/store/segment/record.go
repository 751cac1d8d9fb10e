package segment

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// A record of the log is one call to Append or Delete:
//
//	append = 1 u8, sequence u64, project, columns uvarint, rows uvarint, row*
//	delete = 2 u8, sequence u64, project, all u8, before varint, trace ids, ids
//	       | 3 u8, the same, and of which window: after varint, up to varint
//
// A manifest may have deletes and, instead of an append, what it replaces (see deferred.go):
//
//	replace = 4 u8, 0 u64, project, key, ids
//
// Strings are prefixed with their length, lists with their number of strings.
const (
	recordAppend  = 1
	recordDelete  = 2
	recordWindow  = 3 // a delete restricted to a window of arrivals
	recordReplace = 4 // only in a manifest
	recordSeq     = 1 // offset of the sequence number
)

func putSeq(record []byte, seq uint64) { binary.LittleEndian.PutUint64(record[recordSeq:], seq) }

// newRecord starts a record, with capacity for about room bytes after its head.
func newRecord(kind byte, project string, room int) []byte {
	b := make([]byte, recordSeq+8, 256+room)
	b[0] = kind
	b = binary.AppendUvarint(b, uint64(len(project)))
	return append(b, project...)
}

// rowOverhead is roughly how much memory a row takes besides its strings.
const rowOverhead = 1600

// newAppend encodes rows as a record and decodes it into hot rows, which share its memory.
func (t *table[R]) newAppend(project string, rows []R) (*request[R], error) {
	record := newRecord(recordAppend, project, t.schema.estimate(rows))
	record = binary.AppendUvarint(record, uint64(len(t.schema.columns)))
	record = binary.AppendUvarint(record, uint64(len(rows)))
	for n := range rows {
		r := &rows[n]
		switch {
		case t.schema.idOf(r) == "":
			return nil, fmt.Errorf("%w: row %d of the batch has no id", store.ErrInvalid, n)
		case t.schema.keyedByTrace && t.schema.traceOf(r) == "":
			return nil, fmt.Errorf("%w: row %d of the batch, %q, has no trace id", store.ErrInvalid, n, t.schema.idOf(r))
		case t.schema.timeOf(r) == 0:
			return nil, fmt.Errorf("%w: row %d of the batch, %q, has no time", store.ErrInvalid, n, t.schema.idOf(r))
		}
		record = t.schema.appendRow(record, r)
	}
	if len(record) > maxFrame/2 {
		return nil, fmt.Errorf("%w: a batch of %d MB is too large", store.ErrInvalid, len(record)>>20)
	}
	request, _, err := t.readRecord(record)
	return request, err
}

// estimate returns the approximate size of rows in the log, so that their memory is allocated in one step.
func (s *schema[R]) estimate(rows []R) int {
	size := 512 * len(rows)
	for n := range rows {
		size += s.longBytes(&rows[n])
	}
	return size
}

func (t *table[R]) newDelete(project string, s store.Selection) *request[R] {
	record := appendSelection(newRecord(deleteKind(&s), project, 0), s)
	return &request[R]{record: record, project: project, remove: &s, done: make(chan error, 1)}
}

func deleteKind(s *store.Selection) byte {
	if s.Arrived != nil {
		return recordWindow
	}
	return recordDelete
}

// replaceRecord describes rows that are replaced: those of a trace (or of an id, if rows are keyed by id) with the
// given ids.
func replaceRecord(project, key string, ids []string) []byte {
	b := newRecord(recordReplace, project, 0)
	return appendTexts(append(binary.AppendUvarint(b, uint64(len(key))), key...), ids)
}

func appendTexts(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, text := range list {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return b
}

func (d *decoder) texts() (list []string) {
	for count := d.uvarint(); count > 0 && !d.failed; count-- {
		list = append(list, d.text())
	}
	return list
}

func appendSelection(b []byte, s store.Selection) []byte {
	all := byte(0)
	if s.All {
		all = 1
	}
	b = binary.AppendVarint(append(b, all), int64(s.Before))
	b = appendTexts(appendTexts(b, s.TraceIDs), s.IDs)
	if s.Arrived != nil {
		b = binary.AppendVarint(binary.AppendVarint(b, s.Arrived.After), s.Arrived.UpTo)
	}
	return b
}

func (d *decoder) selection() *store.Selection {
	s := new(store.Selection)
	if len(d.src) == 0 {
		d.fail()
		return s
	}
	s.All = d.src[0] == 1
	d.src = d.src[1:]
	s.Before = domain.Micros(d.varint())
	s.TraceIDs, s.IDs = d.texts(), d.texts()
	return s
}

// readRecord decodes a record into a request, which keeps its memory.
func (t *table[R]) readRecord(record []byte) (*request[R], uint64, error) {
	if len(record) < recordSeq+8 {
		return nil, 0, errRow
	}
	seq := binary.LittleEndian.Uint64(record[recordSeq:])
	d := decoder{src: record[recordSeq+8:]}
	r := &request[R]{record: record, project: d.text(), done: make(chan error, 1)}
	if d.failed {
		return nil, 0, errRow
	}
	switch record[0] {
	case recordDelete, recordWindow:
		r.remove = d.selection()
		if record[0] == recordWindow {
			r.remove.Arrived = &store.Window{After: d.varint(), UpTo: d.varint()}
		}
		if d.failed {
			return nil, 0, errRow
		}
		return r, seq, nil
	case recordAppend:
	default:
		return nil, 0, fmt.Errorf("the log contains a record of unknown kind %d, written by a newer version of Almanac", record[0])
	}
	columns, count := d.uvarint(), d.uvarint()
	if d.failed || count > uint64(len(record)) {
		return nil, 0, errRow
	}
	if columns > uint64(len(t.schema.columns)) {
		return nil, 0, fmt.Errorf("it has rows of %d columns, written by a newer version of Almanac; this version supports %d", columns,
			len(t.schema.columns))
	}
	hot := make([]hotRow[R], count)
	r.rows = make([]*hotRow[R], count)
	rest := d.src
	for n := range hot {
		h := &hot[n]
		var err error
		if rest, err = t.schema.readRow(rest, int(columns), &h.row); err != nil {
			return nil, 0, err
		}
		h.project, h.millis = r.project, t.schema.timeOf(&h.row).Millis()
		r.rows[n] = h
	}
	r.rows = t.lastOfEach(r.rows)
	r.bytes = int64(len(record) + rowOverhead*len(r.rows))
	return r, seq, nil
}

// lastOfEach sorts rows newest first and keeps only the last of those with the same key.
func (t *table[R]) lastOfEach(rows []*hotRow[R]) []*hotRow[R] {
	type key struct{ trace, id string }
	last := make(map[key]*hotRow[R], len(rows))
	for _, h := range rows {
		k := key{id: t.schema.idOf(&h.row)}
		if t.schema.keyedByTrace {
			k.trace = t.schema.traceOf(&h.row)
		}
		last[k] = h
	}
	if len(last) < len(rows) {
		rows = slices.DeleteFunc(rows, func(h *hotRow[R]) bool {
			k := key{id: t.schema.idOf(&h.row)}
			if t.schema.keyedByTrace {
				k.trace = t.schema.traceOf(&h.row)
			}
			return last[k] != h
		})
	}
	slices.SortFunc(rows, func(a, b *hotRow[R]) int {
		if a.millis != b.millis {
			return cmp.Compare(b.millis, a.millis)
		}
		return comparePositions(t.schema.positionOf(&a.row), t.schema.positionOf(&b.row))
	})
	return rows
}
