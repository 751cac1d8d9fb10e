package inflate

// input is packed data and how far it was read. Bits are taken from the low end of a buffer; those above its count are
// zero except within the fast loop, so that a table can be asked when fewer bits are left than it looks at.
type input struct {
	bytes []byte
	next  int
	bits  uint64
	count uint
}

// fill makes at least 56 bits available, or all that there are. They are never 64, which no shift could tell from none.
func (i *input) fill() {
	for i.count < 56 && i.next < len(i.bytes) {
		i.bits |= uint64(i.bytes[i.next]) << i.count
		i.next++
		i.count += 8
	}
}

// take removes bits that are available, at most 32, and returns them.
func (i *input) take(count uint) uint32 {
	value := uint32(i.bits & (1<<count - 1)) //nolint:gosec // at most 32 bits
	i.bits >>= count
	i.count -= count
	return value
}

// toByte drops the rest of the byte that was begun and gives whole bytes back.
func (i *input) toByte() {
	i.next -= int(i.count / 8)
	i.bits, i.count = 0, 0
}

// rest returns what was not read. It is asked only between bytes.
func (i *input) rest() []byte { return i.bytes[i.next:] }
