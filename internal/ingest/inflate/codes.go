package inflate

// codeLengths are the code lengths of a block: those of literals and lengths, then those of distances.
type codeLengths [mostLiterals + mostDistances]uint8

// codes are the lookup tables for the symbols of a block.
type codes struct {
	literals  literalTable
	distances distanceTable
}

// fixedCodes are the codes of blocks that do not define their own.
var fixedCodes = makeFixedCodes()

func makeFixedCodes() *codes {
	var literals [288]uint8
	for n := range literals {
		switch {
		case n < 144:
			literals[n] = 8
		case n < 256:
			literals[n] = 9
		case n < 280:
			literals[n] = 7
		default:
			literals[n] = 8
		}
	}
	var distances [32]uint8
	for n := range distances {
		distances[n] = 5
	}
	c := new(codes)
	build(c.literals[:], literalBits, literals[:], literalSymbols[:])
	build(c.distances[:], distanceBits, distances[:], distanceSymbols[:])
	return c
}

// dynamicCodes reads the codes of a block. Their lengths are themselves Huffman-coded.
func (d *Decoder) dynamicCodes() error {
	d.in.fill()
	if d.in.count < 14 {
		return truncated("the header of a block")
	}
	literals, distances, ofLengths := int(d.in.take(5))+257, int(d.in.take(5))+1, int(d.in.take(4))+4
	if literals > mostLiterals || distances > mostDistances {
		return corrupt("a block with %d literals and %d distances", literals, distances)
	}
	var widths [codeSymbols]uint8
	for _, n := range codeOrder[:ofLengths] {
		d.in.fill()
		if d.in.count < 3 {
			return truncated("the header of a block")
		}
		widths[n] = uint8(d.in.take(3)) //nolint:gosec // 3 bits
	}
	// These codes have at most 7 bits. Their table is needed only until those of the block are built, so it uses the
	// memory of one of them.
	if !build(d.codes.distances[:], distanceBits, widths[:], lengthSymbols[:]) {
		return corrupt("no complete code for code lengths")
	}
	lengths := d.lengths[:literals+distances]
	if err := d.codeLengths(lengths); err != nil {
		return err
	}
	if !build(d.codes.literals[:], literalBits, lengths[:literals], literalSymbols[:]) {
		return corrupt("no complete code for literals")
	}
	if !build(d.codes.distances[:], distanceBits, lengths[literals:], distanceSymbols[:]) {
		return corrupt("no complete code for distances")
	}
	return nil
}

// codeLengths reads code lengths, using the code in the table of distances.
func (d *Decoder) codeLengths(lengths []uint8) error {
	const (
		repeat    = 16 // the previous length
		zeros     = 17
		manyZeros = 18
	)
	for n := 0; n < len(lengths); {
		d.in.fill()
		e := d.codes.distances[d.in.bits&(1<<distanceBits-1)]
		if e.used() > d.in.count {
			return truncated("the header of a block")
		}
		if e&special != 0 {
			return corrupt("no code length has this code")
		}
		d.in.take(e.used())
		var length uint8
		var extra uint
		times := 3
		switch symbol := e.value(); symbol {
		default:
			lengths[n] = uint8(symbol) //nolint:gosec // less than 16
			n++
			continue
		case repeat:
			if n == 0 {
				return corrupt("the first code length repeats the one before")
			}
			length, extra = lengths[n-1], 2
		case zeros:
			extra = 3
		case manyZeros:
			times, extra = 11, 7
		}
		if d.in.count < extra {
			return truncated("the header of a block")
		}
		times += int(d.in.take(extra))
		if times > len(lengths)-n {
			return corrupt("more than %d code lengths", len(lengths))
		}
		for range times {
			lengths[n] = length
			n++
		}
	}
	return nil
}
