package zstdenc

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"almanac/bench/corpus"
	"almanac/internal/domain"
)

func decode(t testing.TB, packed []byte) []byte {
	t.Helper()
	r, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := r.DecodeAll(packed, nil)
	if err != nil {
		t.Fatalf("cannot decode %d bytes: %v", len(packed), err)
	}
	return text
}

// stored is text of the kind that is stored, made once.
var stored = sync.OnceValue(func() []byte {
	return join(pages(corpus.Text, func(o *domain.Observation) string { return o.Output })...)
})

// prose returns the first bytes of it. They must not be changed.
func prose(size int) []byte { return stored()[:size] }

func noise(size int) []byte {
	b := make([]byte, size)
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range b {
		b[n] = byte(rng.Uint32())
	}
	return b
}

func TestRoundTrip(t *testing.T) {
	text, random := prose(1<<20), noise(400<<10)
	cases := map[string][]byte{
		"nothing": nil, "one byte": {7}, "zeroes": make([]byte, 300<<10), "noise": random, "words": text,
		"noise between words":         join(text[:50<<10], random[:200<<10], text[:50<<10]),
		"long literals, then a match": join(random[:90<<10], random[:30<<10], random[:100]),
		"the same again far away":     join(text[:200<<10], random[:300<<10], text[:200<<10]),
		"a period of two":             bytes.Repeat([]byte("ab"), 70<<10),
		"json":                        []byte(strings.Repeat(`{"role":"user","content":"hello"},`, 5000)),
	}
	for _, size := range []int{2, 15, 16, 17, 31, 32, 63, 64, 255, 256, 257, 1023, 1024, 16383, 16384, 65791, 65792, blockSize - 1, blockSize, blockSize + 1, 2*blockSize + 5} {
		cases[fmt.Sprintf("words, %d bytes", size)] = text[:size]
	}
	e := NewEncoder()
	for name, want := range cases {
		packed := e.Append([]byte("before"), want)
		if !bytes.HasPrefix(packed, []byte("before")) {
			t.Fatalf("%s: what stood before is gone", name)
		}
		packed = packed[len("before"):]
		if got := decode(t, packed); !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes came back as %d others", name, len(want), len(got))
		}
		if limit := len(want) + 3*(len(want)/blockSize+1) + 9; len(packed) > limit {
			t.Errorf("%s: %d bytes became %d, more than %d", name, len(want), len(packed), limit)
		}
	}
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// TestFarAway repeats what is out of reach: with offsets of more than 24 bits a sequence would not fit.
func TestFarAway(t *testing.T) {
	text := prose(100 << 10)
	want := join(text, noise(window), text, text)
	packed := NewEncoder().Append(nil, want)
	if got := decode(t, packed); !bytes.Equal(got, want) {
		t.Errorf("%d bytes came back as %d others", len(want), len(got))
	}
	if limit := window + window/1000 + 2*len(text); len(packed) > limit {
		t.Errorf("%d bytes became %d, more than %d", len(want), len(packed), limit)
	}
}

// TestManyTexts: places of earlier texts are never taken for those of a later one, also when their numbers begin anew.
func TestManyTexts(t *testing.T) {
	e := NewEncoder()
	e.places.base = 1<<32 - 100_000
	text := prose(64 << 10)
	for n := range 6 {
		want := text[n*1000 : n*1000+(16+n)<<10]
		if got := decode(t, e.Append(nil, want)); !bytes.Equal(got, want) {
			t.Fatalf("text %d came back changed", n)
		}
		if n == 5 && e.places.base > 100_000 {
			t.Errorf("places are at %d, and have not begun anew", e.places.base)
		}
	}
}

// TestMostSequences writes as many sequences as a block can have, which no text leads to: matches of four bytes, one after the other.
func TestMostSequences(t *testing.T) {
	for _, count := range []int{1, 127, 128, 0x7EFF, 0x7F00, blockSize/leastMatch - 1} {
		e := NewEncoder()
		e.sequences.recent = firstRecent
		e.literals = append(e.literals, 'x')
		want := []byte("x")
		for n := range count {
			e.sequences.add(uint32(max(0, 1-n)), leastMatch, 1)
			want = append(want, "xxxx"...)
		}
		block := e.sequences.append(e.appendLiterals(nil))
		packed := appendBlockHeader(appendFrameHeader(nil, len(want)), blockCompressed, len(block), true)
		if got := decode(t, append(packed, block...)); !bytes.Equal(got, want) {
			t.Errorf("%d sequences came back as %d bytes, want %d", count, len(got), len(want))
		}
	}
}

// TestNothingRepeats compresses text in which nothing repeats, but which has few different bytes.
func TestNothingRepeats(t *testing.T) {
	text := []byte(base64.StdEncoding.EncodeToString(noise(300 << 10)))
	if packed := NewEncoder().Append(nil, text); len(packed) > len(text)*77/100 {
		t.Errorf("%d bytes of base64 take %d", len(text), len(packed))
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add(prose(3000), uint16(1), uint16(0))
	f.Add(noise(200), uint16(700), uint16(5))
	f.Add([]byte("ab"), uint16(9000), uint16(1))
	e := NewEncoder()
	r, err := zstd.NewReader(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, times, every uint16) {
		want := bytes.Repeat(text, int(min(times, uint16((1<<20)/(len(text)+1)))))
		for n := int(every); every > 0 && n < len(want); n += int(every) { // so that not all is one match
			want[n] ^= byte(n)
		}
		got, err := r.DecodeAll(e.Append(nil, want), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%d bytes came back changed", len(want))
		}
	})
}
