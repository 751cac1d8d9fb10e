package filter

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var english = strings.Repeat("The quick brown fox jumps over the lazy dog, while 42 others (of them 7 red) watch. ", 25)[:2048]

func BenchmarkEachWord(b *testing.B) {
	b.SetBytes(int64(len(english)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		EachWord(english, func(word string) { n += len(word) })
	}
}

func BenchmarkEachFolded(b *testing.B) {
	b.SetBytes(int64(len(english)))
	b.ReportAllocs()
	n, scratch := 0, make([]byte, 0, 64)
	for b.Loop() {
		scratch = EachFolded(english, scratch, func(word []byte) { n += len(word) })
	}
}

// BenchmarkFields is the baseline for the others.
func BenchmarkFields(b *testing.B) {
	b.SetBytes(int64(len(english)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n += len(strings.Fields(english))
	}
}

func BenchmarkEachWordChinese(b *testing.B) {
	text := strings.Repeat("今天天气很好，我们去公园。", 60)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		EachWord(text, func(word string) { n += utf8.RuneCountInString(word) })
	}
}

func BenchmarkMatches(b *testing.B) {
	for name, value := range map[string]string{"absent": "lazy cat", "present": "7 red) watch"} {
		b.Run(name, func(b *testing.B) {
			made := must(NewText(observationColumn(b, "input"), Matches, value))
			b.SetBytes(int64(len(english)))
			b.ReportAllocs()
			for b.Loop() {
				made.MatchText(english, false)
			}
		})
	}
}

func BenchmarkMetadata(b *testing.B) {
	const object = `{"model.name":"gpt-4o","attempt":3,"tags":["a","b"],"user.plan":"enterprise","region":"eu-central-1","latency_ms":128.5}`
	made := must(NewMetadataText(observationColumn(b, "metadata"), Equal, "region", "eu-central-1"))
	b.SetBytes(int64(len(object)))
	b.ReportAllocs()
	for b.Loop() {
		made.MatchMetadata(object)
	}
}
