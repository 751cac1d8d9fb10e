package inflate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
)

// gzipWith returns a member that contains "almanac", with the given flags and header fields.
func gzipWith(t *testing.T, flags byte, fields ...string) []byte {
	t.Helper()
	header := []byte{0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 255}
	return slices.Concat(header, []byte(strings.Join(fields, "")), gzipFormat.pack(t, []byte("almanac"), 6)[gzipHeader:])
}

// headerSum returns the checksum of a header with these flags and fields.
func headerSum(flags byte, fields ...string) string {
	header := append([]byte{0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 255}, strings.Join(fields, "")...)
	return string(binary.LittleEndian.AppendUint16(nil, uint16(crc32.ChecksumIEEE(header))))
}

func TestGzipFrames(t *testing.T) {
	plain := gzipWith(t, 0)
	changed := func(at int, b byte) []byte {
		packed := bytes.Clone(plain)
		if at < 0 {
			at += len(packed)
		}
		packed[at] = b
		return packed
	}
	const all = flagHeaderSum | flagExtra | flagName | flagComment
	cases := []struct {
		name   string
		packed []byte
		want   string
		err    error
	}{
		{"plain", plain, "almanac", nil},
		{"text flag", gzipWith(t, 1), "almanac", nil},
		{"extra", gzipWith(t, flagExtra, "\x03\x00abc"), "almanac", nil},
		{"extra, nothing", gzipWith(t, flagExtra, "\x00\x00"), "almanac", nil},
		{"extra, the longest", gzipWith(t, flagExtra, "\xff\xff", strings.Repeat("x", 65535)), "almanac", nil},
		{"name", gzipWith(t, flagName, "file\x00"), "almanac", nil},
		{"name, nothing", gzipWith(t, flagName, "\x00"), "almanac", nil},
		{"name, the longest", gzipWith(t, flagName, strings.Repeat("x", longestText-1), "\x00"), "almanac", nil},
		{"comment", gzipWith(t, flagComment, "\xe4\x00"), "almanac", nil},
		{"name and comment", gzipWith(t, flagName|flagComment, "a\x00", "b\x00"), "almanac", nil},
		{"header sum", gzipWith(t, flagHeaderSum, headerSum(flagHeaderSum)), "almanac", nil},
		{"everything", gzipWith(t, all, "\x01\x00x", "a\x00", "b\x00", headerSum(all, "\x01\x00x", "a\x00", "b\x00")), "almanac", nil},
		{"two members", slices.Concat(plain, gzipWith(t, flagName, "b\x00")), "almanacalmanac", nil},
		{"nothing, then something", slices.Concat(gzipFormat.pack(t, nil, 6), plain), "almanac", nil},

		{"nothing", nil, "", io.ErrUnexpectedEOF},
		{"half a header", plain[:9], "", io.ErrUnexpectedEOF},
		{"another format", []byte("PK\x03\x04 and so on"), "", ErrCorrupt},
		{"another method", changed(2, 7), "", ErrCorrupt},
		{"name, too long", gzipWith(t, flagName, strings.Repeat("x", longestText), "\x00"), "", ErrCorrupt},
		{"name without an end", plainHeader(flagName, "name"), "", io.ErrUnexpectedEOF},
		{"comment without an end", plainHeader(flagName|flagComment, "name\x00comment"), "", io.ErrUnexpectedEOF},
		{"extra without a length", plainHeader(flagExtra, "\x01"), "", io.ErrUnexpectedEOF},
		{"extra, too short", plainHeader(flagExtra, "\x05\x00abcd"), "", io.ErrUnexpectedEOF},
		{"wrong header sum", gzipWith(t, flagHeaderSum, headerSum(0)), "", ErrCorrupt},
		{"no header sum", plainHeader(flagHeaderSum, "\x01"), "", io.ErrUnexpectedEOF},
		{"wrong sum", changed(-8, plain[len(plain)-8]^1), "", ErrCorrupt},
		{"wrong length", changed(-4, 8), "", ErrCorrupt},
		{"no length", plain[:len(plain)-1], "", io.ErrUnexpectedEOF},
		{"half a second header", slices.Concat(plain, plain[:9]), "", io.ErrUnexpectedEOF},
		{"a broken second member", slices.Concat(plain, changed(-1, 1)), "", ErrCorrupt},
		{"something behind it", slices.Concat(plain, []byte("0123456789")), "", ErrCorrupt},
		{"a reference to the first member", slices.Concat(plain, referenceToBefore(t)), "", ErrCorrupt},
	}
	var d Decoder
	for _, c := range cases {
		got, err := d.Gzip(t.Context(), nil, c.packed, growing(100, 100))
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, error %v", c.name, got, err)
		}
		if len(c.packed) > 0 { // which the standard library accepts as no members
			gzipFormat.sameAsStandard(t, &d, c.packed, 100)
		}
	}
	for _, flag := range []byte{1 << 5, 1 << 6, 1 << 7} {
		if _, err := d.Gzip(t.Context(), nil, gzipWith(t, flag), growing(100, 100)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("flag %x: error %v", flag, err)
		}
	}
}

func plainHeader(flags byte, fields string) []byte {
	return append([]byte{0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255}, fields...)
}

// referenceToBefore returns a member that begins with a match.
func referenceToBefore(t *testing.T) []byte {
	t.Helper()
	var w bitWriter
	w.bits(1, 1)
	w.bits(fixed, 2)
	w.code(huffmanCode{1, 7}) // length 3
	w.code(huffmanCode{0, 5}) // distance 1
	w.code(huffmanCode{0, 7})
	return slices.Concat(plainHeader(0, ""), w.bytes, []byte("sum and length"))
}

func TestGzipLength(t *testing.T) {
	if got := GzipLength(gzipFormat.pack(t, make([]byte, 1234), 6)); got != 1234 {
		t.Errorf("got %d", got)
	}
	for n := range gzipHeader + gzipTrailer {
		if got := GzipLength(bytes.Repeat([]byte{1}, n)); got != 0 {
			t.Errorf("got %d for %d bytes", got, n)
		}
	}
}
