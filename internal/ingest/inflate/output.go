package inflate

import (
	"context"
	"errors"
)

// chunk is the maximum number of bytes written between checks of the context.
const chunk = 4 << 20

// output is the output buffer, which also is the window for matches.
type output struct {
	ctx  context.Context // of one call, which output does not outlive
	grow Grow
	// bytes extends to the capacity of the buffer; n of them are written. Matches reach back no further than start.
	bytes []byte
	n     int
	start int
}

// room ensures that at least one byte can be written.
func (o *output) room() error {
	if o.n < len(o.bytes) {
		return nil
	}
	if err := o.ctx.Err(); err != nil {
		return err
	}
	larger, err := o.grow(o.bytes[:o.n])
	if err != nil {
		return err
	}
	if len(larger) != o.n || cap(larger) == o.n {
		return errors.New("inflate: the buffer did not grow")
	}
	o.bytes = larger[:cap(larger)]
	return nil
}

// write appends bytes.
func (o *output) write(b []byte) error {
	for len(b) > 0 {
		if err := o.room(); err != nil {
			return err
		}
		n := copy(o.bytes[o.n:], b)
		o.n += n
		b = b[n:]
	}
	return nil
}

// repeat appends length bytes starting distance before the end; source and destination may overlap.
func (o *output) repeat(distance, length int) error {
	for length > 0 {
		if err := o.room(); err != nil {
			return err
		}
		n := copy(o.bytes[o.n:], o.bytes[o.n-distance:o.n-distance+min(distance, length)])
		o.n += n
		length -= n
	}
	return nil
}
