package inflate

// input is the compressed data and the read position. Bits are taken from the low end of a buffer; those above its
// count are zero except within the fast loop, so that a table can be used even if fewer bits are left than it examines.
type input struct {
	bytes []byte
	next  int
	bits  uint64
	count uint
}

// fill makes at least 56 bits available, or all that are left. It never makes 64 available, which shifts could not
// distinguish from none.
func (i *input) fill() {
	for i.count < 56 && i.next < len(i.bytes) {
		i.bits |= uint64(i.bytes[i.next]) << i.count
		i.next++
		i.count += 8
	}
}

// take removes and returns available bits, at most 32.
func (i *input) take(count uint) uint32 {
	value := uint32(i.bits & (1<<count - 1)) //nolint:gosec // at most 32 bits
	i.bits >>= count
	i.count -= count
	return value
}

// toByte discards the rest of the current byte and returns whole bytes to the input.
func (i *input) toByte() {
	i.next -= int(i.count / 8)
	i.bits, i.count = 0, 0
}

// rest returns the unread input. It must be called only at a byte boundary.
func (i *input) rest() []byte { return i.bytes[i.next:] }
