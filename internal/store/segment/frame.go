package segment

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// Logs and manifests are sequences of frames:
//
//	frame = mark 4 bytes, length u32, CRC-32C of payload u32, payload
//
// The mark shows where a frame may start. In a log it is random and different in each file, so that no client data can
// look like a frame; the manifest holds only what we write, and has a fixed mark.
type mark [4]byte

const (
	frameHeader = 12
	// maxFrame limits how much memory a corrupt length can make us allocate.
	maxFrame = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// putFrameHeader fills in the header of a frame given in parts, the first of which has room for it before its payload.
func putFrameHeader(parts [][]byte, m mark) {
	length, sum := 0, uint32(0)
	for n, part := range parts {
		if n == 0 {
			part = part[frameHeader:]
		}
		length += len(part)
		sum = crc32.Update(sum, castagnoli, part)
	}
	header := parts[0][:frameHeader]
	copy(header, m[:])
	binary.LittleEndian.PutUint32(header[4:], uint32(length))
	binary.LittleEndian.PutUint32(header[8:], sum)
}

// frameAt returns the payload of the frame at an offset, if there is a complete and undamaged one.
func frameAt(content []byte, offset int, m mark) ([]byte, bool) {
	if len(content)-offset < frameHeader || mark(content[offset:offset+4]) != m {
		return nil, false
	}
	length := int(binary.LittleEndian.Uint32(content[offset+4:]))
	if length == 0 || length > len(content)-offset-frameHeader {
		return nil, false
	}
	payload := content[offset+frameHeader : offset+frameHeader+length]
	return payload, crc32.Checksum(payload, castagnoli) == binary.LittleEndian.Uint32(content[offset+8:])
}

// frameFollows reports whether a valid frame starts anywhere from the offset on.
func frameFollows(content []byte, offset int, m mark) bool { return nextFrame(content, offset, m) >= 0 }

// nextFrame returns where the first valid frame from the offset on starts, or -1.
func nextFrame(content []byte, offset int, m mark) int {
	for offset < len(content) {
		next := bytes.Index(content[offset:], m[:])
		if next < 0 {
			return -1
		}
		offset += next
		if _, ok := frameAt(content, offset, m); ok {
			return offset
		}
		offset++
	}
	return -1
}
