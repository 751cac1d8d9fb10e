package main

import (
	"encoding/binary"
	"fmt"
	"time"
)

// body is an uncompressed OTLP request in which ids and times can be replaced.
type body struct {
	raw   []byte
	spans int
	// ids are the offsets of each eight bytes of ids, times the offsets of times.
	ids, times []int
	latest     uint64 // of the times, in nanoseconds
}

// newBody finds the ids and times in an encoded request.
func newBody(raw []byte) (*body, error) {
	b := &body{raw: raw}
	err := eachField(raw, 0, func(_ int, at, end int) error { // ResourceSpans
		return eachField(raw[at:end], at, func(field, at, end int) error {
			if field != 2 { // not ScopeSpans
				return nil
			}
			return eachField(raw[at:end], at, func(field, at, end int) error {
				if field != 2 { // not a span
					return nil
				}
				b.spans++
				return eachField(raw[at:end], at, func(field, at, end int) error {
					switch field {
					case 1, 2, 4: // trace, span and parent ids
						for ; at+8 <= end; at += 8 {
							b.ids = append(b.ids, at)
						}
					case 7, 8: // start and end
						b.times = append(b.times, at)
						b.latest = max(b.latest, binary.LittleEndian.Uint64(raw[at:end]))
					}
					return nil
				})
			})
		})
	})
	return b, err
}

// eachField calls f with the number of each field of a message and the range of its value. base is the offset of the
// message.
func eachField(message []byte, base int, f func(field, at, end int) error) error {
	for at := 0; at < len(message); {
		tag, n := binary.Uvarint(message[at:])
		if n <= 0 {
			return fmt.Errorf("no tag at %d", base+at)
		}
		at += n
		size := uint64(0)
		switch tag & 7 {
		case 0:
			_, n = binary.Uvarint(message[at:])
			size = uint64(max(n, 0))
		case 1:
			size = 8
		case 2:
			size, n = binary.Uvarint(message[at:])
			at += max(n, 0)
		case 5:
			size = 4
		}
		if n <= 0 || size == 0 && tag&7 != 2 || size > uint64(len(message)-at) {
			return fmt.Errorf("no value of field %d at %d", tag>>3, base+at)
		}
		if err := f(int(tag>>3), base+at, base+at+int(size)); err != nil {
			return err
		}
		at += int(size)
	}
	return nil
}

// stamped returns the request as if its last span had ended now. Each key gives different ids, but the same relations
// between them.
func (b *body) stamped(key uint64, now time.Time) []byte {
	raw := append([]byte(nil), b.raw...)
	for _, at := range b.ids {
		binary.BigEndian.PutUint64(raw[at:], binary.BigEndian.Uint64(raw[at:])^key)
	}
	shift := uint64(now.UnixNano()) - b.latest // wraps around if negative, and back when it is added
	for _, at := range b.times {
		binary.LittleEndian.PutUint64(raw[at:], binary.LittleEndian.Uint64(raw[at:])+shift)
	}
	return raw
}
