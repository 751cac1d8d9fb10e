package inflate

import (
	"errors"
	"io"
	"slices"
	"testing"
)

func TestZlibFrames(t *testing.T) {
	plain := zlibFormat.pack(t, []byte("almanac"), 6)
	body := plain[zlibHeader:]
	for name, c := range map[string]struct {
		packed []byte
		want   string
		err    error
	}{
		"plain":                 {plain, "almanac", nil},
		"a small window":        {slices.Concat([]byte{0x08, 0x1d}, body), "almanac", nil},
		"a dictionary":          {slices.Concat([]byte{0x78, 0xbb, 1, 2, 3, 4}, body), "", ErrCorrupt},
		"an empty dictionary":   {slices.Concat([]byte{0x78, 0xbb, 0, 0, 0, 1}, body), "almanac", nil},
		"half a dictionary":     {[]byte{0x78, 0xbb, 0, 0, 0}, "", io.ErrUnexpectedEOF},
		"nothing":               {nil, "", io.ErrUnexpectedEOF},
		"half a header":         {plain[:1], "", io.ErrUnexpectedEOF},
		"no blocks":             {plain[:2], "", io.ErrUnexpectedEOF},
		"a wrong header":        {slices.Concat([]byte{0x78, 0x9d}, body), "", ErrCorrupt},
		"another method":        {slices.Concat([]byte{0x77, 0x85}, body), "", ErrCorrupt},
		"too large a window":    {slices.Concat([]byte{0x88, 0x1c}, body), "", ErrCorrupt},
		"a wrong sum":           {slices.Concat(plain[:len(plain)-1], []byte{^plain[len(plain)-1]}), "", ErrCorrupt},
		"half a sum":            {plain[:len(plain)-2], "", io.ErrUnexpectedEOF},
		"something follows":     {slices.Concat(plain, []byte("more")), "almanac", nil},
		"no zlib, but no frame": {body, "", ErrCorrupt},
	} {
		var d Decoder
		got, err := d.Zlib(t.Context(), nil, c.packed, growing(100, 100))
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, error %v", name, got, err)
		}
		zlibFormat.sameAsStandard(t, &d, c.packed, 100)
	}
}

func TestIsZlib(t *testing.T) {
	for level := range 10 {
		if !IsZlib(zlibFormat.pack(t, []byte("almanac"), level)) {
			t.Errorf("zlib at level %d is not recognised", level)
		}
		if IsZlib(rawFormat.pack(t, []byte("almanac"), level)) {
			t.Errorf("data without a frame at level %d is taken for zlib", level)
		}
	}
	if IsZlib(nil) || IsZlib([]byte{0x78}) {
		t.Error("too little is taken for zlib")
	}
}
