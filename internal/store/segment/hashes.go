package segment

import (
	"encoding/binary"
	"math/bits"
)

// hashes finds the entries of an index by their 32-bit hash. The entries are sorted by hash and divided into buckets of
// about hashesPerBucket. The number of a bucket is the upper bits of the hash, so that only the 16 bits that follow
// need to be stored for an entry. Different hashes that agree in these bits are indistinguishable: the caller must
// check what is found.
//
//	hashes = entries u32, bits u32, first entry u32 of each bucket and the end, low u16 of each entry
type hashes struct {
	bits   uint
	starts []uint32
	low    []uint16
}

const (
	hashesPerBucket = 16
	maxBucketBits   = 16
)

// bucketBits returns the number of upper bits that select the bucket.
func bucketBits(entries int) uint {
	return min(maxBucketBits, uint(bits.Len(uint(entries/hashesPerBucket))))
}

// appendHashes encodes sorted hashes. It must start at a multiple of 4 bytes, and ends at a multiple of 2.
func appendHashes(b []byte, sorted []uint32) []byte {
	width := bucketBits(len(sorted))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(sorted)))
	b = binary.LittleEndian.AppendUint32(b, uint32(width))
	next := 0
	for bucket := range uint32(1) << width {
		b = binary.LittleEndian.AppendUint32(b, uint32(next))
		for next < len(sorted) && bucketOf(sorted[next], width) == bucket {
			next++
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(sorted)))
	for _, hash := range sorted {
		b = binary.LittleEndian.AppendUint16(b, lowOf(hash, width))
	}
	return b
}

func bucketOf(hash uint32, width uint) uint32 { return hash >> (32 - width) }
func lowOf(hash uint32, width uint) uint16    { return uint16(hash >> (16 - width)) }

// readHashes decodes what appendHashes wrote, and returns the rest.
func readHashes(b []byte) (h hashes, rest []byte, err error) {
	if len(b) < 8 {
		return h, nil, errPage
	}
	entries, width := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	if width > maxBucketBits {
		return h, nil, errPage
	}
	h.bits = uint(width)
	if h.starts, b, err = arrayOf[uint32](b[8:], 1<<width+1); err != nil {
		return h, nil, err
	}
	if h.low, b, err = arrayOf[uint16](b, int(entries)); err != nil {
		return h, nil, err
	}
	return h, b, nil
}

// find returns the bucket of a hash and the entries that have it: those from first up to but not including end.
func (h *hashes) find(hash uint32) (bucket uint32, first, end int) {
	bucket = bucketOf(hash, h.bits)
	first, end = int(h.starts[bucket]), min(int(h.starts[bucket+1]), len(h.low))
	if first > end { // not an index that we wrote
		return bucket, 0, 0
	}
	low := lowOf(hash, h.bits)
	for first < end && h.low[first] < low {
		first++
	}
	last := first
	for last < end && h.low[last] == low {
		last++
	}
	return bucket, first, last
}

// numbers is an array of integers below a limit, each stored in one, two or four bytes, the fewest that the limit
// needs.
type numbers struct {
	bytes  []uint8
	shorts []uint16
	longs  []uint32
}

// appendNumbers encodes numbers, aligned as needed.
func appendNumbers(b []byte, values []uint32, limit int) []byte {
	switch {
	case limit <= 1<<8:
		for _, v := range values {
			b = append(b, byte(v))
		}
	case limit <= 1<<16:
		b = align(b, 2)
		for _, v := range values {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
	default:
		b = align(b, 4)
		b = append(b, bytesOf(values)...)
	}
	return b
}

// align pads a section to a multiple of size.
func align(b []byte, size int) []byte {
	for len(b)%size != 0 {
		b = append(b, 0)
	}
	return b
}

// aligned skips the padding that align added before rest, the end of a section.
func aligned(section, rest []byte, size int) []byte {
	return rest[min(len(rest), -(len(section)-len(rest))&(size-1)):]
}

// readNumbers decodes what appendNumbers wrote at the start of rest, the end of a section.
func readNumbers(section, rest []byte, count, limit int) (n numbers, _ []byte, err error) {
	size := 1
	switch {
	case limit > 1<<16:
		size = 4
	case limit > 1<<8:
		size = 2
	}
	rest = aligned(section, rest, size)
	switch size {
	case 1:
		if count > len(rest) {
			return n, nil, errPage
		}
		n.bytes, rest = rest[:count], rest[count:]
	case 2:
		n.shorts, rest, err = arrayOf[uint16](rest, count)
	default:
		n.longs, rest, err = arrayOf[uint32](rest, count)
	}
	return n, rest, err
}

func (n *numbers) len() int { return len(n.bytes) + len(n.shorts) + len(n.longs) }

func (n *numbers) at(i int) int {
	switch {
	case n.bytes != nil:
		return int(n.bytes[i])
	case n.shorts != nil:
		return int(n.shorts[i])
	}
	return int(n.longs[i])
}

// part returns the numbers from first up to but not including end.
func (n *numbers) part(first, end int) numbers {
	switch {
	case n.bytes != nil:
		return numbers{bytes: n.bytes[first:end]}
	case n.shorts != nil:
		return numbers{shorts: n.shorts[first:end]}
	}
	return numbers{longs: n.longs[first:end]}
}
