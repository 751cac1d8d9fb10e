package segment

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/internal/filter"
)

// hashesOf returns the hashes that addWords finds.
func hashesOf(text string) []uint32 {
	p := newPostings()
	p.addWords(text, nil)
	var hashes []uint32
	for _, pair := range p.pairs {
		hashes = append(hashes, uint32(pair>>32))
	}
	slices.Sort(hashes)
	return hashes
}

// wantedHashes returns the hashes of the words that package filter finds.
func wantedHashes(text string) []uint32 {
	hashes := []uint32(nil)
	filter.EachFolded(text, nil, func(word []byte) { hashes = append(hashes, max(wordHash(word), 1)) })
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

func FuzzWordsOfText(f *testing.F) {
	long := strings.Repeat("The quick brown-fox_jumps over 13 lazy dogs; ", 9)
	for _, text := range []string{
		"", "a", "A1 b2", long, long[:64], long[:63] + "x", long[1:65] + "yz", "größe Ünïcode", "東京タワー abc", strings.Repeat("x", 200),
		strings.Repeat("x", 63) + "é" + strings.Repeat("y", 70) + " z", "@`[{/:", "\x00\xff\x80a\xc3", "123456789 12345678 1234567",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := hashesOf(text), wantedHashes(text); !slices.Equal(got, want) {
			t.Fatalf("the words of %q give %x, want %x", text, got, want)
		}
	})
}

func TestEveryByteIsClassified(t *testing.T) {
	for _, around := range []byte{' ', 'a', '9', 0x7f, 0x80, 0xff} {
		for c := range 256 {
			for at := range 64 {
				block := [64]byte(bytes.Repeat([]byte{around}, 64))
				block[at] = byte(c)
				var wantASCII, wantOther uint64
				for n, b := range block {
					if b >= 0x80 {
						wantOther |= 1 << n
					} else if isWordByte(b) {
						wantASCII |= 1 << n
					}
				}
				if ascii, other := classify(&block); ascii != wantASCII || other != wantOther {
					t.Fatalf("byte %#x at %d among %#x: got %x and %x, want %x and %x", c, at, around, ascii, other, wantASCII, wantOther)
				}
			}
		}
	}
}

func TestSharedWordsLeavesNoWordOut(t *testing.T) {
	for _, test := range []struct {
		text, other string
		want        int
	}{
		{"", "", 0},
		{"one two three four", "one two three five", 8},
		{"one two three four", "one two three four", 14}, // the rest is shorter than eight bytes
		{"one two threefour five", "one two three", 8},
		{"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz", 0},
		{"ein größerer Turm da", "ein größerer Turm hier", 15},
		{"other text altogether", "some text altogether", 0},
	} {
		if got := sharedWords(test.text, test.other); got != test.want {
			t.Errorf("sharedWords(%q, %q) = %d, want %d", test.text, test.other, got, test.want)
		}
		p := newPostings()
		p.addWords(test.other, nil)
		p.addWords(test.text[sharedWords(test.text, test.other):], nil)
		for _, hash := range wantedHashes(test.text) {
			if !slices.ContainsFunc(p.pairs, func(pair uint64) bool { return uint32(pair>>32) == hash }) {
				t.Errorf("a word of %q is missing after %q", test.text, test.other)
			}
		}
	}
}

// someProse returns words of all lengths in an order that repeats too late for branch prediction to learn it.
func someProse(size int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var words [1000]string
	for n := range words {
		word := make([]byte, 1+rng.IntN(5)+rng.IntN(9))
		for i := range word {
			word[i] = byte('a' + rng.IntN(26))
		}
		words[n] = string(word)
	}
	var text strings.Builder
	for text.Len() < size {
		text.WriteString(words[rng.IntN(len(words))])
		text.WriteString([]string{" ", " ", " ", ", ", ". "}[rng.IntN(5)])
	}
	return text.String()
}

// BenchmarkAddWords compares with processing word by word.
func BenchmarkAddWords(b *testing.B) {
	text := someProse(64 << 10)
	b.Run("blocks", func(b *testing.B) {
		p := newPostings()
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			p.addWords(text, nil)
		}
	})
	b.Run("baseline-word-by-word", func(b *testing.B) {
		p := newPostings()
		b.SetBytes(int64(len(text)))
		var scratch []byte
		for b.Loop() {
			scratch = filter.EachFolded(text, scratch, func(word []byte) { p.add(wordHash(word)) })
		}
	})
}
