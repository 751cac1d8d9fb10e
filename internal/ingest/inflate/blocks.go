package inflate

import "encoding/binary"

// The types of blocks.
const (
	stored  = 0
	fixed   = 1
	dynamic = 2
)

// blocks decompresses all blocks of a stream and leaves the input at the byte after it.
func (d *Decoder) blocks() error {
	for {
		// A block may be empty, so the context is checked here as well as on output.
		if err := d.out.ctx.Err(); err != nil {
			return err
		}
		d.in.fill()
		if d.in.count < 3 {
			return truncated("the header of a block")
		}
		last := d.in.take(1) == 1
		if err := d.block(d.in.take(2)); err != nil {
			return err
		}
		if last {
			d.in.toByte()
			return nil
		}
	}
}

func (d *Decoder) block(kind uint32) error {
	switch kind {
	case stored:
		return d.stored()
	case fixed:
		return d.symbols(fixedCodes)
	case dynamic:
		if err := d.dynamicCodes(); err != nil {
			return err
		}
		return d.symbols(&d.codes)
	}
	return corrupt("a block of type %d", kind)
}

// stored copies an uncompressed block.
func (d *Decoder) stored() error {
	d.in.toByte()
	rest := d.in.rest()
	if len(rest) < 4 {
		return truncated("the length of a stored block")
	}
	length, complement := binary.LittleEndian.Uint16(rest), binary.LittleEndian.Uint16(rest[2:])
	if length != ^complement {
		return corrupt("a stored block of %d bytes, or of %d", length, ^complement)
	}
	rest = rest[4:]
	if len(rest) < int(length) {
		return truncated("a stored block")
	}
	d.in.next += 4 + int(length)
	return d.out.write(rest[:length])
}

// symbols decompresses the symbols of a block up to its end: fast as long as the end of neither buffer is near.
func (d *Decoder) symbols(c *codes) error {
	for {
		ended, err := d.fast(c)
		if ended || err != nil {
			return err
		}
		if err := d.out.ctx.Err(); err != nil {
			return err
		}
		if d.fastPossible() {
			continue
		}
		if ended, err = d.symbol(c); ended || err != nil {
			return err
		}
	}
}

// symbol decompresses one symbol with all checks.
func (d *Decoder) symbol(c *codes) (ended bool, err error) {
	d.in.fill()
	e := find(c.literals[:], literalBits, d.in.bits)
	if e.used() > d.in.count {
		return false, truncated("a block")
	}
	bits := d.in.bits
	d.in.take(e.used())
	switch {
	case e&literal != 0:
		if err := d.out.room(); err != nil {
			return false, err
		}
		d.out.bytes[d.out.n] = e.literal()
		d.out.n++
		return false, nil
	case e&ending == ending:
		return true, nil
	case e&special != 0:
		return false, errNoSymbol
	}
	length := e.valueWith(bits)

	d.in.fill()
	e = find(c.distances[:], distanceBits, d.in.bits)
	if e.used() > d.in.count {
		return false, truncated("a block")
	}
	if e&special != 0 {
		return false, errNoDistance
	}
	distance := e.valueWith(d.in.bits)
	d.in.take(e.used())
	if distance > d.out.n-d.out.start {
		return false, errTooFar
	}
	return false, d.out.repeat(distance, length)
}
