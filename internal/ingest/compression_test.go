package ingest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"almanac/internal/ingest/inflate"
)

// pack compresses content with the writer returned by newWriter.
func pack(t testing.TB, content []byte, newWriter func(io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := newWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }
func zlibbed(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }
func flated(w io.Writer) (io.WriteCloser, error)  { return flate.NewWriter(w, 6) }
func zstded(w io.Writer) (io.WriteCloser, error)  { return zstd.NewWriter(w) }
func plain(w io.Writer) (io.WriteCloser, error)   { return nopCloser{w}, nil }

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// received returns a body with the given content.
func received(t testing.TB, p *Pipeline, content []byte) *Body {
	t.Helper()
	b := p.NewBody("")
	if err := b.Read(t.Context(), bytes.NewReader(content), 0, 1<<40); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDecompress(t *testing.T) {
	texts := map[string][]byte{
		"nothing": {}, "a word": []byte("almanac"), "a batch": []byte(strings.Repeat("what a day, what a lovely day; ", 5_000)),
	}
	cases := []struct {
		header string
		pack   func(io.Writer) (io.WriteCloser, error)
	}{
		{"", plain},
		{"identity", plain},
		{" Identity , ", plain},
		{"gzip", gzipped},
		{"GZIP", gzipped},
		{"x-gzip", gzipped},
		{"identity, gzip", gzipped},
		{"zstd", zstded},
		{"deflate", zlibbed},
		{"deflate", flated},
	}
	for _, c := range cases {
		for name, text := range texts {
			t.Run(c.header+" of "+name, func(t *testing.T) {
				p := newTestPipeline(nil)
				for range 2 { // the second time with reused memory
					packed := received(t, p, pack(t, text, c.pack))
					unpacked, err := p.Decompress(t.Context(), packed, c.header)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(unpacked.Bytes(), text) {
						t.Errorf("got %d bytes, want %d", len(unpacked.Bytes()), len(text))
					}
					unpacked.Release()
					packed.Release()
					if p.held() != 0 {
						t.Errorf("%d bytes are lost", p.held())
					}
				}
			})
		}
	}
}

func TestDecompressWhatIsBroken(t *testing.T) {
	text := []byte(strings.Repeat("what a day, what a lovely day; ", 1000))
	whole := pack(t, text, gzipped)
	cases := []struct {
		name, header string
		body         []byte
		want         string
	}{
		{"not gzip", "gzip", []byte("not gzip"), "Failed to decompress request body"},
		{"nothing", "gzip", nil, "Failed to decompress request body"},
		{"truncated gzip", "gzip", whole[:len(whole)/2], "Failed to decompress request body"},
		{"gzip without its sum", "gzip", whole[:len(whole)-4], "Failed to decompress request body"},
		{
			"gzip with a wrong sum", "gzip", append(bytes.Clone(whole[:len(whole)-8]), 0, 0, 0, 0, 0, 0, 0, 0),
			"Failed to decompress request body",
		},
		{"gzip and more", "gzip", append(bytes.Clone(whole), "more"...), "Failed to decompress request body"},
		{"not zstd", "zstd", []byte("not zstd"), "Failed to decompress request body"},
		{"truncated zstd", "zstd", pack(t, text, zstded)[:20], "Failed to decompress request body"},
		{"not deflate", "deflate", []byte{0xff, 0xff, 0xff}, "Failed to decompress request body"},
		{"nothing", "deflate", nil, "Failed to decompress request body"},
		{"truncated zlib", "deflate", pack(t, text, zlibbed)[:20], "Failed to decompress request body"},
		{"unknown", "br", []byte("x"), `Unsupported content encoding "br": use gzip, zstd, deflate or none`},
		{"two", "gzip, zstd", []byte("x"), `Unsupported content encoding "gzip, zstd": use gzip, zstd, deflate or none`},
		{
			"long", strings.Repeat("x", 1000), []byte("x"), `Unsupported content encoding "` + strings.Repeat("x", 100) +
				`": use gzip, zstd, deflate or none`,
		},
	}
	for _, c := range cases {
		t.Run(c.header+": "+c.name, func(t *testing.T) {
			p := newTestPipeline(nil)
			packed := received(t, p, c.body)
			_, err := p.Decompress(t.Context(), packed, c.header)
			if refused := refusedAs(t, err, Invalid); refused.Message != c.want {
				t.Errorf("message %q, want %q", refused.Message, c.want)
			}
			packed.Release()
			if p.held() != 0 {
				t.Errorf("%d bytes are lost", p.held())
			}
		})
	}
}

// TestBombs decompresses bodies that expand to many times their size.
func TestBombs(t *testing.T) {
	zeros := make([]byte, harmlessSize+1)
	for name, packer := range map[string]func(io.Writer) (io.WriteCloser, error){"gzip": gzipped, "zstd": zstded, "deflate": zlibbed} {
		bomb := pack(t, zeros, packer)
		t.Run(name, func(t *testing.T) {
			// With more memory than this, it would be refused for another reason.
			p := newTestPipeline(func(o *Options) { o.MaxExport, o.Memory = 1<<30, 64<<20 })
			packed := received(t, p, bomb)
			_, err := p.Decompress(t.Context(), packed, name)
			refused := refusedAs(t, err, TooLarge)
			if !strings.Contains(refused.Message, "256 times its size") {
				t.Errorf("message %q", refused.Message)
			}
			packed.Release()
			if p.held() != 0 {
				t.Errorf("%d bytes are lost", p.held())
			}
		})
	}
	t.Run("beyond the limit", func(t *testing.T) {
		p := newTestPipeline(func(o *Options) { o.MaxExport = 1 << 20 })
		packed := received(t, p, pack(t, zeros[:1<<20+1], gzipped))
		_, err := p.Decompress(t.Context(), packed, "gzip")
		if refused := refusedAs(t, err, TooLarge); !strings.Contains(refused.Message, "the limit of 1048576 bytes") {
			t.Errorf("message %q", refused.Message)
		}
	})
	t.Run("within the limit", func(t *testing.T) {
		p := newTestPipeline(func(o *Options) { o.MaxExport = 1 << 20 })
		unpacked, err := p.Decompress(t.Context(), received(t, p, pack(t, zeros[:1<<20], gzipped)), "gzip")
		if err != nil || len(unpacked.Bytes()) != 1<<20 {
			t.Errorf("error %v", err)
		}
	})
	t.Run("harmless", func(t *testing.T) {
		p := newTestPipeline(nil)
		unpacked, err := p.Decompress(t.Context(), received(t, p, pack(t, zeros[:harmlessSize], gzipped)), "gzip")
		if err != nil || len(unpacked.Bytes()) != harmlessSize {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a window larger than any encoder's", func(t *testing.T) {
		p := newTestPipeline(nil)
		wide := pack(t, zeros[:1<<20], func(w io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(w, zstd.WithWindowSize(4*zstdWindow))
		})
		_, err := p.Decompress(t.Context(), received(t, p, wide), "zstd")
		refusedAs(t, err, Invalid)
	})
}

func TestDecompressorsAreWaitedFor(t *testing.T) {
	p := newTestPipeline(nil)
	for range cap(p.decompressors.turns) {
		p.decompressors.turns <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Decompress(ctx, received(t, p, pack(t, []byte("x"), zstded)), "zstd"); err != context.Canceled { //nolint:errorlint // as it is
		t.Errorf("error %v", err)
	}
}

// TestSizesOfInflated tests bodies around the sizes of buffers and limits: those that fit are decompressed, others are
// refused, and no more memory is held than a buffer twice as large.
func TestSizesOfInflated(t *testing.T) {
	for _, size := range []int{
		0, 1, smallestBuffer - 1, smallestBuffer, smallestBuffer + 1, trustedAfter, 3 * trustedAfter, largestKept + 1,
	} {
		text := []byte(strings.Repeat("what a day, what a lovely day; ", size/31+1))[:size]
		for coding, packers := range map[string][]func(io.Writer) (io.WriteCloser, error){"gzip": {gzipped}, "deflate": {zlibbed, flated}} {
			for _, packer := range packers {
				p := newTestPipeline(func(o *Options) { o.MaxExport = int64(size) })
				unpacked, err := p.Decompress(t.Context(), received(t, p, pack(t, text, packer)), coding)
				if err != nil {
					t.Fatalf("%s of %d bytes: %v", coding, size, err)
				}
				if !bytes.Equal(unpacked.Bytes(), text) || cap(unpacked.Bytes()) > max(smallestBuffer, 2*size) {
					t.Errorf("%s of %d bytes: got %d in a buffer of %d", coding, size, len(unpacked.Bytes()), cap(unpacked.Bytes()))
				}
				unpacked.Release()
				if p.held() != 0 {
					t.Errorf("%s of %d bytes: %d bytes are lost", coding, size, p.held())
				}
				// The size is checked before the integrity.
				broken := pack(t, append(text, "x and so on"...), packer)
				p = newTestPipeline(func(o *Options) { o.MaxExport = int64(size) })
				packed := received(t, p, broken[:len(broken)-1])
				_, err = p.Decompress(t.Context(), packed, coding)
				refusedAs(t, err, TooLarge)
				packed.Release()
				if p.held() != 0 {
					t.Errorf("%s of %d bytes: %d bytes are lost after a refusal", coding, size, p.held())
				}
			}
		}
	}
}

// TestLengthsThatLie tests gzip bodies that announce a wrong length. They must not get memory for it.
func TestLengthsThatLie(t *testing.T) {
	text := []byte(strings.Repeat("what a day, what a lovely day; ", 5000))
	for _, announced := range []uint32{0, 1, 1 << 20, 1<<32 - 1} {
		body := pack(t, text, gzipped)
		binary.LittleEndian.PutUint32(body[len(body)-4:], announced)
		into := &Body{buffers: new(buffers), reservation: NewBudget(1<<30, 0).Reserve("")}
		err := newDecompressors().unpack(t.Context(), "gzip", body, into, 1<<40)
		if !errors.Is(err, inflate.ErrCorrupt) || cap(into.bytes) > 2*len(text) {
			t.Errorf("announced %d: error %v with a buffer of %d", announced, err, cap(into.bytes))
		}
	}
	// The last of several members announces only its own length.
	p := newTestPipeline(nil)
	members := append(pack(t, text, gzipped), pack(t, []byte("the end"), gzipped)...)
	unpacked, err := p.Decompress(t.Context(), received(t, p, members), "gzip")
	if err != nil || string(unpacked.Bytes()) != string(text)+"the end" {
		t.Errorf("two members: error %v", err)
	}
}

// TestDecompressForNobody checks that decompression stops when the client has disconnected.
func TestDecompressForNobody(t *testing.T) {
	for name, packer := range map[string]func(io.Writer) (io.WriteCloser, error){"gzip": gzipped, "deflate": zlibbed} {
		p := newTestPipeline(nil)
		packed := received(t, p, pack(t, make([]byte, 1<<20), packer))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Decompress(ctx, packed, name); err != context.Canceled { //nolint:errorlint // as it is
			t.Errorf("%s: error %v", name, err)
		}
		packed.Release()
		if p.held() != 0 {
			t.Errorf("%s: %d bytes are lost", name, p.held())
		}
	}
}
