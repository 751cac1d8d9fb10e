package ingest

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"time"
)

// newTestPipeline returns a pipeline without a table.
func newTestPipeline(change func(*Options)) *Pipeline {
	o := Options{MaxExport: 64 << 20, Memory: 256 << 20, Wait: 10 * time.Millisecond}
	if change != nil {
		change(&o)
	}
	return New(o)
}

func TestBody(t *testing.T) {
	p := newTestPipeline(nil)
	for _, size := range []int{
		0, 1, smallestBuffer - 1, smallestBuffer, smallestBuffer + 1, 100_000, trustedAfter, largestKept, largestKept + 1, 6 << 20,
	} {
		content := bytes.Repeat([]byte("almanac "), size/8+1)[:size]
		for _, announced := range []int64{-1, 0, int64(size), int64(size / 2), 8 << 20} {
			for name, reader := range map[string]io.Reader{
				"at once": bytes.NewReader(content), "end with data": iotest.DataErrReader(bytes.NewReader(content)),
				"halves": iotest.HalfReader(bytes.NewReader(content)),
			} {
				b := p.NewBody("")
				if err := b.Read(t.Context(), reader, announced, int64(size)); err != nil {
					t.Fatalf("%d bytes, %s: %v", size, name, err)
				}
				if !bytes.Equal(b.Bytes(), content) {
					t.Errorf("%d bytes, %s: the body is another", size, name)
				}
				if held := p.held(); held != int64(cap(b.Bytes())) || held > max(smallestBuffer, 2*int64(size)) {
					t.Errorf("%d bytes, %s: %d bytes are reserved, the buffer has %d", size, name, held, cap(b.Bytes()))
				}
				b.Release()
				b.Release()
				if p.held() != 0 {
					t.Errorf("%d bytes, %s: %d bytes are lost", size, name, p.held())
				}
			}
		}
		if size == 0 {
			continue
		}
		b := p.NewBody("")
		refusedAs(t, b.Read(t.Context(), bytes.NewReader(content), 0, int64(size-1)), TooLarge)
		b.Release()
		if p.held() != 0 {
			t.Errorf("%d bytes: %d bytes are lost after a refusal", size, p.held())
		}
	}
}

func TestBodyGrowsAsItArrives(t *testing.T) {
	p := newTestPipeline(func(o *Options) { o.Memory = 96 << 20 })
	for _, announced := range []int64{-1, 10 << 20} {
		b, arrived := p.NewBody(""), int64(0)
		if err := b.Read(t.Context(), readerFunc(func(into []byte) (int, error) {
			// A client that announces much but sends little holds little.
			if most := max(smallestBuffer, 2*arrived); arrived < trustedAfter && p.held() > most {
				t.Errorf("announced %d: %d bytes are held after %d", announced, p.held(), arrived)
			}
			if arrived >= 10<<20 {
				return 0, io.EOF
			}
			n := min(len(into), 1000)
			arrived += int64(n)
			return n, nil
		}), announced, 20<<20); err != nil {
			t.Fatal(err)
		}
		b.Release()
	}
	b := p.NewBody("")
	refusedAs(t, b.Read(t.Context(), endless{}, 0, 1<<40), TooLarge)
	if len(b.Bytes()) > 32<<20 {
		t.Errorf("%d bytes were read", len(b.Bytes()))
	}
	b.Release()
	if p.held() != 0 {
		t.Errorf("%d bytes are lost", p.held())
	}
}

func TestBodyOfAClientThatLeaves(t *testing.T) {
	gone := errors.New("gone")
	p := newTestPipeline(nil)
	b := p.NewBody("")
	if err := b.Read(t.Context(), io.MultiReader(bytes.NewReader(make([]byte, 10_000)), iotest.ErrReader(gone)), 0,
		1<<20); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	b.Release()
	if p.held() != 0 {
		t.Errorf("%d bytes are lost", p.held())
	}
}

func TestBuffers(t *testing.T) {
	var p buffers
	for size := smallestBuffer; size <= largestKept; size *= 2 {
		if b := p.get(size); cap(b) != size || len(b) != 0 {
			t.Errorf("a buffer of %d has %d of %d", size, len(b), cap(b))
		} else {
			p.put(b[:size])
		}
		if b := p.get(size); len(b) != 0 || cap(b) != size {
			t.Errorf("a reused buffer of %d has %d of %d", size, len(b), cap(b))
		}
	}
	if class(smallestBuffer) != 0 || class(largestKept) != keptSizes-1 || class(largestKept*2) != -1 || class(0) != -1 ||
		class(5000) != -1 {
		t.Error("the classes are not those that are kept")
	}
	for bytes, want := range map[int]int{
		0: 4096, 1: 4096, 4096: 4096, 4097: 8192, 1 << 20: 1 << 20, 1<<20 + 1: 2 << 20, 4 << 20: 4 << 20, 4<<20 + 1: 4<<20 + 1,
	} {
		if got := bufferSize(bytes); got != want {
			t.Errorf("the buffer for %d bytes has %d, want %d", bytes, got, want)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// endless is a body that never ends.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// held returns the amount of memory held by exports.
func (p *Pipeline) held() int64 { return p.receiving.Held() + p.working.Held() }
