package main

import (
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"almanac/internal/pricing/tokens/vocabularies"
)

// A library that has more or fewer tokens than we know of must not go unnoticed.
func TestUnexpectedVocabularies(t *testing.T) {
	for _, test := range []struct {
		name   string
		source source
		want   string
	}{
		{
			"an id too few",
			source{vocabularies.R50k, tokenizer.R50kBase, 0, 50255, 0},
			"the library's encoding r50k_base has an id 50255, expected are only those below",
		},
		{
			"an id too many",
			source{vocabularies.R50k, tokenizer.R50kBase, 0, 50257, 0},
			"the library's encoding r50k_base has 1 ids between 0 and 50257 that are not in use, expected are 0",
		},
		{
			"an id that should be in use",
			source{vocabularies.P50k, tokenizer.P50kBase, 50256, 50281, 0},
			"the library's encoding p50k_base has 1 ids between 50256 and 50281 that are not in use, expected are 0",
		},
		{
			"an unknown encoding",
			source{vocabularies.P50k, "nothing", 0, 1, 0},
			"find the encoding nothing in the library: encoding not supported",
		},
	} {
		if _, err := test.source.read(); err == nil || err.Error() != test.want {
			t.Errorf("%s: the error is %v, want %s", test.name, err, test.want)
		}
	}
}

func TestTokens(t *testing.T) {
	list, err := sources()[1].read()
	if err != nil {
		t.Fatal(err)
	}
	if list.Len() != 25 || len(list.Token(0)) != 0 || string(list.Token(1)) != "  " {
		t.Errorf("%d ids, the first %q and %q", list.Len(), list.Token(0), list.Token(1))
	}
}
