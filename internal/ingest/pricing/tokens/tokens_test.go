package tokens

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// inLibrary maps encodings to the library's names.
var inLibrary = [encodings]tokenizer.Encoding{
	r50kBase: tokenizer.R50kBase, p50kBase: tokenizer.P50kBase, cl100kBase: tokenizer.Cl100kBase, o200kBase: tokenizer.O200kBase,
}

// The counts are those of OpenAI's own tokenizer (tiktoken 0.14.0, special tokens allowed).
func TestCountsOfEveryEncoding(t *testing.T) {
	c := NewCounter()
	for _, test := range []struct {
		text                      string
		r50k, p50k, cl100k, o200k int
	}{
		{"hello world", 2, 2, 2, 2},
		{"Two plus two?", 4, 4, 4, 4},
		{"user", 1, 1, 1, 1},
		{"  leading and trailing  ", 6, 5, 5, 5},
		{"don't I'LL we've it's", 9, 9, 9, 5},
		{"1234567 890", 5, 5, 5, 5},
		{"\n \n \n x", 6, 6, 3, 3},
		{"}\n    \n    return x\n", 13, 8, 6, 6},
		{"HTTPServer XMLHttpRequest iPhone", 7, 7, 4, 6},
		{"日本語のテキスト、そして中文。", 19, 19, 13, 10},
		{"한국어 텍스트", 18, 18, 7, 5},
		{"Привет, мир", 12, 12, 6, 4},
		{"e\u0301a \u0301A", 8, 8, 6, 6},
		{"😀 👩‍👩‍👧 x", 13, 13, 15, 10},
		{"func main() {\n\tfmt.Println(\"hi\")\n}\n", 17, 17, 10, 10},
		{`{"role":"user","content":"Hello"}`, 9, 9, 9, 9},
		{"<|endoftext|>", 1, 1, 1, 1},
		{"a<|endoftext|>b<|fim_prefix|>", 11, 11, 4, 9},
		{"<|endofprompt|> <|not one|>", 14, 14, 6, 7},
		{"http://example.com/a//b?c=1&d=%20", 18, 18, 15, 15},
		{"supercalifragilisticexpialidocious", 11, 11, 11, 10},
		{"ſ 'ſ K", 6, 6, 6, 4},
		{"\u00a0\u3000x", 4, 4, 3, 3},
		{strings.Repeat("a", 200), 50, 50, 25, 25},
		{strings.Repeat("a", 2*maxMerge), 256, 256, 128, 128},
		{"", 0, 0, 0, 0},
	} {
		for e, want := range []int{test.r50k, test.p50k, test.cl100k, test.o200k} {
			if got := c.vocabularyOf(encoding(e)).count(test.text); got != want {
				t.Errorf("encoding %d: %q has %d tokens, want %d", e, test.text, got, want)
			}
		}
	}
}

func TestVocabulariesAreComplete(t *testing.T) {
	c := NewCounter()
	for e, want := range []int{50256, 50280, 100256, 199998} {
		r := c.vocabularyOf(encoding(e)).ranks
		got := 0
		for _, slot := range r.slots {
			if slot != 0 {
				got++
			}
		}
		if got != want {
			t.Errorf("encoding %d has %d tokens, want %d", e, got, want)
		}
		for b := range 256 {
			if r.of(string([]byte{byte(b)})) == noRank {
				t.Errorf("encoding %d has no token for the byte %#x", e, b)
			}
		}
	}
}

func TestRanksAreTheIdsOfTheLibrary(t *testing.T) {
	c := NewCounter()
	for e, name := range inLibrary {
		codec, err := tokenizer.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		r := c.vocabularyOf(encoding(e)).ranks
		for id := range uint(r.tokens.len()) + 100 {
			token, err := codec.Decode([]uint{id})
			if err != nil {
				continue // the id is not in use
			}
			if got := r.of(token); got != uint32(id) {
				t.Fatalf("%s: %q has the rank %d, want %d", name, token, got, id)
			}
			if got := r.of(token + "\x00\xff"); got != noRank {
				t.Fatalf("%s: %q and a bit has the rank %d and is no token", name, token, got)
			}
		}
	}
}

func TestAnEmptyVocabularyHasNoTokens(t *testing.T) {
	r := newRanks(tokenList{})
	if got := r.of("a"); got != noRank {
		t.Errorf("rank %d", got)
	}
}

// The library is correct for text without blank lines and special tokens.
func TestCountsAreThoseOfTheLibrary(t *testing.T) {
	c := NewCounter()
	for e, name := range inLibrary {
		codec, err := tokenizer.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		v := c.vocabularyOf(encoding(e))
		for _, text := range splitTexts {
			if strings.ContainsAny(text, "\r\n<") {
				continue
			}
			want, err := codec.Count(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := v.count(text); got != want {
				t.Errorf("%s: %q has %d tokens, want %d", name, text, got, want)
			}
		}
	}
}

func TestLimitAndUnknownMethods(t *testing.T) {
	c := NewCounter()
	known := MethodOf("openai", []byte(`{"tokenizerModel":"text-ada-001"}`))
	c.vocabularyOf(known.encoding)
	if n, ok := c.Count(known, strings.Repeat("x ", MaxText/2)); !ok || n == 0 {
		t.Errorf("the longest text: %d tokens, %v", n, ok)
	}
	if n, ok := c.Count(known, strings.Repeat("x", MaxText+1)); ok || n != 0 {
		t.Errorf("a text beyond the limit: %d tokens, %v", n, ok)
	}
	if n, ok := c.Count(Method{}, "x"); ok || n != 0 {
		t.Errorf("an unknown method: %d tokens, %v", n, ok)
	}
}

func TestConcurrentFirstUse(t *testing.T) {
	c := NewCounter()
	m := MethodOf("openai", []byte(`{"tokenizerModel":"text-davinci-001"}`))
	NewCounter().vocabularyOf(m.encoding)
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			if n, ok := c.Count(m, "hello world"); !ok || n != 2 {
				t.Errorf("%d tokens, %v; want 2", n, ok)
			}
		})
	}
	done.Wait()
}

var sample = strings.Repeat("The quick brown fox jumps over the lazy dog, while 42 others (of them 7 red) watch. ", 25)[:2048]

func BenchmarkCount(b *testing.B) {
	c := NewCounter()
	messages := `[{"role":"system","content":"` + sample[:1000] + `"},{"role":"user","content":"` + sample[1000:] + `"}]`
	for _, test := range []struct{ name, text string }{
		{"prose", sample},
		{"messages", messages},
		{"blank-lines", strings.Repeat("\n ", 1024)},
		{"no-blanks", strings.Repeat("a", 2048)},
		{"chinese", strings.Repeat("今天天气很好，我们去公园。", 60)[:2028]},
	} {
		for _, model := range []string{"gpt-4o", "gpt-4"} {
			b.Run(test.name+"/"+model, func(b *testing.B) {
				m := MethodOf("openai", []byte(`{"tokenizerModel":"`+model+`","tokensPerMessage":3,"tokensPerName":1}`))
				c.vocabularyOf(m.encoding)
				b.SetBytes(int64(len(test.text)))
				b.ReportAllocs()
				for b.Loop() {
					c.Count(m, test.text)
				}
			})
		}
	}
}

// BenchmarkLibrary is the baseline of BenchmarkCount.
func BenchmarkLibrary(b *testing.B) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(sample)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := codec.Count(sample); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoad also reports the memory that a vocabulary takes.
func BenchmarkLoad(b *testing.B) {
	for e, name := range inLibrary {
		b.Run(string(name), func(b *testing.B) {
			before := heap()
			kept := NewCounter().vocabularyOf(encoding(e))
			after := heap()
			runtime.KeepAlive(kept)
			b.ReportAllocs()
			for b.Loop() {
				NewCounter().vocabularyOf(encoding(e))
			}
			b.ReportMetric(float64(after-before)/1e6, "MB-kept")
		})
	}
}

// heap returns the heap size in bytes.
func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
