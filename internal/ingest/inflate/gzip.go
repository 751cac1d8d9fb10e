package inflate

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
)

// The flags of a gzip header. The reserved ones must be 0.
const (
	flagHeaderSum = 1 << 1
	flagExtra     = 1 << 2
	flagName      = 1 << 3
	flagComment   = 1 << 4
	flagsReserved = 1<<5 | 1<<6 | 1<<7
)

const (
	gzipHeader  = 10
	gzipTrailer = 8
	// longestText is the maximum length of a name or comment in a header, including the terminating zero.
	longestText = 512
)

// Gzip decompresses one or more concatenated members and appends their contents to dst.
func (d *Decoder) Gzip(ctx context.Context, dst, packed []byte, grow Grow) ([]byte, error) {
	d.begin(ctx, dst, packed, grow)
	defer d.release()
	for {
		if err := d.member(); err != nil {
			return nil, err
		}
		if len(d.in.rest()) == 0 {
			return d.result(nil)
		}
	}
}

// GzipLength returns the length recorded in the last member of a gzip file. It is usually that of the whole, but it is
// unverified.
func GzipLength(packed []byte) uint32 {
	if len(packed) < gzipHeader+gzipTrailer {
		return 0
	}
	return binary.LittleEndian.Uint32(packed[len(packed)-4:])
}

func (d *Decoder) member() error {
	header, err := gzipHeaderLength(d.in.rest())
	if err != nil {
		return err
	}
	d.in.next += header
	d.out.start = d.out.n
	if err := d.blocks(); err != nil {
		return err
	}
	rest := d.in.rest()
	if len(rest) < gzipTrailer {
		return truncated("the checksum")
	}
	d.in.next += gzipTrailer
	sum, length := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
	unpacked := d.out.bytes[d.out.start:d.out.n]
	if length != uint32(len(unpacked)) { //nolint:gosec // it is the length modulo 2^32
		return corrupt("%d bytes instead of %d", len(unpacked), length)
	}
	if got := crc32.ChecksumIEEE(unpacked); got != sum {
		return corrupt("the checksum is %08x instead of %08x", got, sum)
	}
	return nil
}

// gzipHeaderLength returns the length of the header at the start of b.
func gzipHeaderLength(b []byte) (int, error) {
	if len(b) < gzipHeader {
		return 0, truncated("the gzip header")
	}
	if b[0] != 0x1f || b[1] != 0x8b || b[2] != 8 {
		return 0, corrupt("a gzip header that begins with %x", b[:3])
	}
	flags := b[3]
	if flags&flagsReserved != 0 {
		return 0, corrupt("a gzip header with unknown flags %#x", flags)
	}
	at := gzipHeader
	if flags&flagExtra != 0 {
		if len(b) < at+2 {
			return 0, truncated("the gzip header")
		}
		at += 2 + int(binary.LittleEndian.Uint16(b[at:]))
		if len(b) < at {
			return 0, truncated("the gzip header")
		}
	}
	for _, flag := range []byte{flagName, flagComment} {
		if flags&flag == 0 {
			continue
		}
		text := b[at:min(len(b), at+longestText)]
		end := bytes.IndexByte(text, 0)
		switch {
		case end >= 0:
			at += end + 1
		case len(text) == longestText:
			return 0, corrupt("a gzip header with a text of more than %d bytes", longestText-1)
		default:
			return 0, truncated("the gzip header")
		}
	}
	if flags&flagHeaderSum != 0 {
		if len(b) < at+2 {
			return 0, truncated("the gzip header")
		}
		sum, got := binary.LittleEndian.Uint16(b[at:]), crc32.ChecksumIEEE(b[:at])&0xffff
		if got != uint32(sum) {
			return 0, corrupt("the checksum of the gzip header is %04x instead of %04x", got, sum)
		}
		at += 2
	}
	return at, nil
}
