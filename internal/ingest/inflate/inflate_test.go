package inflate

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"almanac/bench/corpus"
)

// format is a compression format with its counterpart in the standard library.
type format struct {
	name   string
	unpack func(*Decoder, context.Context, []byte, []byte, Grow) ([]byte, error)
	open   func(io.Reader) (io.Reader, error)
	create func(io.Writer, int) (io.WriteCloser, error)
}

var (
	rawFormat = format{
		"raw", (*Decoder).Raw,
		func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil },
		func(w io.Writer, level int) (io.WriteCloser, error) { return flate.NewWriter(w, level) },
	}
	gzipFormat = format{
		"gzip", (*Decoder).Gzip,
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		func(w io.Writer, level int) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, level) },
	}
	zlibFormat = format{
		"zlib", (*Decoder).Zlib,
		func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
		func(w io.Writer, level int) (io.WriteCloser, error) { return zlib.NewWriterLevel(w, level) },
	}
	formats = []format{rawFormat, gzipFormat, zlibFormat}
)

// pack compresses text at the given level.
func (f format) pack(t testing.TB, text []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := f.create(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// standard decompresses with the standard library, up to one byte over a limit.
func (f format) standard(packed []byte, limit int) ([]byte, error) {
	r, err := f.open(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, int64(limit)+1))
}

var errLimit = errors.New("limit reached")

// growing returns a Grow that adds step bytes up to a limit. Each buffer is new and has exactly that capacity.
func growing(step, limit int) Grow {
	return func(full []byte) ([]byte, error) {
		if len(full) != cap(full) {
			return nil, fmt.Errorf("asked for more than %d bytes after %d", cap(full), len(full))
		}
		if len(full) >= limit {
			return nil, errLimit
		}
		size := min(len(full)+step, limit)
		return append(make([]byte, 0, size), full...), nil
	}
}

// sameAsStandard decompresses with buffers that grow in different steps, each of which must give the same as the
// standard library.
func (f format) sameAsStandard(t testing.TB, d *Decoder, packed []byte, limit int) (accepted bool) {
	t.Helper()
	want, wantErr := f.standard(packed, limit)
	if len(want) > limit {
		wantErr = errLimit
	}
	for _, step := range []int{1 << 30, 1009, 61} {
		if step < limit/100 {
			continue
		}
		got, err := f.unpack(d, t.Context(), []byte("kept"), packed, growing(step, limit+4))
		switch {
		case wantErr == nil && err != nil, wantErr != nil && err == nil, errors.Is(wantErr, errLimit) != errors.Is(err, errLimit):
			t.Fatalf("%s, step %d: error %v, the standard library's %v, for %d bytes %s", f.name, step, err, wantErr, len(packed),
				excerpt(packed))
		case err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, errLimit):
			t.Fatalf("%s, step %d: error %v is of no kind", f.name, step, err)
		case err == nil && (!bytes.HasPrefix(got, []byte("kept")) || !bytes.Equal(got[4:], want)):
			t.Fatalf("%s, step %d: %d bytes differ from the %d of the standard library, for %d bytes %s",
				f.name, step, len(got)-4, len(want), len(packed), excerpt(packed))
		}
	}
	return wantErr == nil
}

func excerpt(b []byte) string { return hex.EncodeToString(b[:min(len(b), 200)]) }

// texts returns the texts that tests compress: random and repetitive, short and long.
func texts() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	letters := make([]byte, 50_000)
	for i := range letters {
		letters[i] = "aaaaabbbcdefghijklmnopqrstuvwxyz"[random.IntN(32)]
	}
	// Runs of all lengths, and repetitions from all distances.
	var runs []byte
	for n := range 270 {
		runs = append(runs, bytes.Repeat([]byte{byte(n)}, n)...)
		runs = append(runs, noise[:n]...)
	}
	var far []byte
	for n := range 8 {
		far = append(far, noise[n*100:n*100+1000+n*4000]...)
	}
	return map[string][]byte{
		"nothing": {}, "a byte": {'x'}, "a word": []byte("almanac"), "zeros": make([]byte, 100_000), "noise": noise, "letters": letters,
		"runs": runs, "far": far, "period 3": []byte(strings.Repeat("abc", 3000)),
		"period 15": []byte(strings.Repeat("123456789012345", 700)),
		"period 17": []byte(strings.Repeat("12345678901234567", 700)),
		"prose":     []byte(strings.Repeat("what a day, what a lovely day; ", 300)),
	}
}

func TestRoundTrip(t *testing.T) {
	var d Decoder
	for name, text := range texts() {
		for _, f := range formats {
			for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 2, 6, 9} {
				packed := f.pack(t, text, level)
				if !f.sameAsStandard(t, &d, packed, len(text)) {
					t.Errorf("%s at level %d of %s: the standard library refuses its own", f.name, level, name)
				}
				got, err := f.unpack(&d, t.Context(), make([]byte, 0, len(text)), packed, nil)
				if err != nil || !bytes.Equal(got, text) {
					t.Errorf("%s at level %d of %s: %d bytes instead of %d, error %v", f.name, level, name, len(got), len(text), err)
				}
			}
		}
	}
}

// TestTruncated truncates compressed data after every byte: each time it must be reported as truncated and nothing
// else.
func TestTruncated(t *testing.T) {
	var d Decoder
	text := usualBody(corpus.Text, 1)
	for _, f := range formats {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 6} {
			packed := f.pack(t, text, level)
			for n := range packed {
				_, err := f.unpack(&d, t.Context(), nil, packed[:n:n], growing(len(text), len(text)))
				if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrCorrupt) {
					t.Fatalf("%s at level %d, %d of %d bytes: error %v", f.name, level, n, len(packed), err)
				}
			}
		}
	}
}

// TestFlippedBits flips every bit of compressed data in turn.
func TestFlippedBits(t *testing.T) {
	var d Decoder
	text := usualBody(corpus.Text, 1)[:200]
	for _, f := range formats {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 6} {
			packed, accepted := f.pack(t, text, level), 0
			for n := range len(packed) * 8 {
				packed[n/8] ^= 1 << (n % 8)
				if f.name == gzipFormat.name && packed[3]&flagsReserved != 0 {
					// The only data that the standard library accepts and we refuse.
					if _, err := d.Gzip(t.Context(), nil, packed, nil); !errors.Is(err, ErrCorrupt) {
						t.Errorf("flags %x: error %v", packed[3], err)
					}
				} else if f.sameAsStandard(t, &d, packed, 5000) {
					accepted++
				}
				packed[n/8] ^= 1 << (n % 8)
			}
			if f.name != rawFormat.name && accepted > 8*gzipHeader {
				t.Errorf("%s at level %d: %d changes were not found", f.name, level, accepted)
			}
		}
	}
}

func TestWhatFollowsIsIgnored(t *testing.T) {
	var d Decoder
	for _, f := range []format{rawFormat, zlibFormat} {
		packed := append(f.pack(t, []byte("almanac"), 6), "more than that"...)
		if got, err := f.unpack(&d, t.Context(), nil, packed, growing(100, 100)); err != nil || string(got) != "almanac" {
			t.Errorf("%s: got %q, error %v", f.name, got, err)
		}
	}
}

// TestGrow refuses to grow buffers of every size: if the output fits it is decompressed, otherwise the error is
// returned unchanged.
func TestGrow(t *testing.T) {
	var d Decoder
	text := usualBody(corpus.Text, 1)
	packed := rawFormat.pack(t, text, 6)
	for size := range len(text) + 300 {
		got, err := d.Raw(t.Context(), make([]byte, 0, size), packed, func(full []byte) ([]byte, error) {
			if !bytes.Equal(full, text[:size]) {
				t.Fatalf("a buffer of %d was not filled with the text", size)
			}
			return nil, errLimit
		})
		if size < len(text) && err != errLimit { //nolint:errorlint // as it is
			t.Fatalf("a buffer of %d: error %v", size, err)
		}
		if size >= len(text) && (err != nil || !bytes.Equal(got, text)) {
			t.Fatalf("a buffer of %d: %d bytes, error %v", size, len(got), err)
		}
	}
	for name, grow := range map[string]Grow{
		"the same": func(full []byte) ([]byte, error) { return full, nil },
		"a longer": func(full []byte) ([]byte, error) { return make([]byte, len(full)+1), nil },
		"none":     func([]byte) ([]byte, error) { return nil, nil },
	} {
		if _, err := d.Raw(t.Context(), make([]byte, 0, 10), packed, grow); err == nil {
			t.Errorf("%s buffer is accepted", name)
		}
	}
}

// patience is a context that ends after a number of calls to Err.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelled checks that the context is consulted after every few megabytes of output, and for blocks without
// output.
func TestCancelled(t *testing.T) {
	const size = 32 << 20
	var d Decoder
	bomb := make([]byte, 0, size)
	for name, c := range map[string]struct {
		packed []byte
		asked  int
	}{
		"a bomb":       {rawFormat.pack(t, bomb[:size], 9), size / chunk},
		"empty blocks": {bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 1000), 1000},
	} {
		p := &patience{Context: t.Context(), left: c.asked}
		if _, err := d.Raw(p, bomb, c.packed, nil); err != context.Canceled { //nolint:errorlint // as it is
			t.Errorf("%s: error %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range formats {
		if _, err := f.unpack(&d, ctx, nil, f.pack(t, []byte("almanac"), 6), growing(100, 100)); err != context.Canceled { //nolint:errorlint // as it is
			t.Errorf("%s: error %v", f.name, err)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	text := usualBody(corpus.Text, 50)
	d, buffer := new(Decoder), make([]byte, 0, len(text))
	for _, f := range formats {
		packed, ctx := f.pack(t, text, 6), t.Context()
		if n := testing.AllocsPerRun(10, func() {
			if _, err := f.unpack(d, ctx, buffer, packed, nil); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", f.name, n)
		}
	}
	if d.in.bytes != nil || d.out.bytes != nil {
		t.Error("a decoder keeps what it unpacked")
	}
}
