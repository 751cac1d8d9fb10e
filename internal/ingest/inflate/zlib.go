package inflate

import (
	"context"
	"encoding/binary"
	"hash/adler32"
)

const (
	zlibHeader     = 2
	zlibTrailer    = 4
	flagDictionary = 1 << 5
	// largestWindow is the maximum window size in a header, 32 KB.
	largestWindow = 7
	// noDictionary is the checksum of the empty dictionary, the only one that is always available.
	noDictionary = 1
)

// Zlib decompresses zlib data and appends it to dst. Anything after its end is ignored.
func (d *Decoder) Zlib(ctx context.Context, dst, packed []byte, grow Grow) ([]byte, error) {
	d.begin(ctx, dst, packed, grow)
	defer d.release()
	header, err := zlibHeaderLength(packed)
	if err != nil {
		return nil, err
	}
	d.in.next = header
	if err := d.blocks(); err != nil {
		return nil, err
	}
	rest := d.in.rest()
	if len(rest) < zlibTrailer {
		return nil, truncated("the checksum")
	}
	sum := binary.BigEndian.Uint32(rest)
	if got := adler32.Checksum(d.out.bytes[d.out.start:d.out.n]); got != sum {
		return nil, corrupt("the checksum is %08x instead of %08x", got, sum)
	}
	return d.result(nil)
}

// IsZlib reports whether data begins like zlib data. Raw DEFLATE data hardly ever does.
func IsZlib(packed []byte) bool {
	return len(packed) >= zlibHeader && packed[0]&0x0f == 8 && binary.BigEndian.Uint16(packed)%31 == 0
}

// zlibHeaderLength returns the length of the header at the start of b.
func zlibHeaderLength(b []byte) (int, error) {
	if len(b) < zlibHeader {
		return 0, truncated("the zlib header")
	}
	if !IsZlib(b) || b[0]>>4 > largestWindow {
		return 0, corrupt("a zlib header of %x", b[:zlibHeader])
	}
	if b[1]&flagDictionary == 0 {
		return zlibHeader, nil
	}
	const withDictionary = zlibHeader + 4
	if len(b) < withDictionary {
		return 0, truncated("the zlib header")
	}
	if dictionary := binary.BigEndian.Uint32(b[zlibHeader:]); dictionary != noDictionary {
		return 0, corrupt("zlib data that needs the dictionary %08x", dictionary)
	}
	return withDictionary, nil
}
