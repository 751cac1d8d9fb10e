package main

import (
	"fmt"

	"github.com/tiktoken-go/tokenizer"

	"almanac/internal/pricing/tokens/vocabularies"
)

// source is where in the library the tokens of a file are.
type source struct {
	name     vocabularies.Name
	encoding tokenizer.Encoding
	from, to uint // its first id, and the one after its last
	unused   int  // how many of them have no token
}

// sources returns where the tokens of all files are. The id between the tokens of r50k and those that p50k adds is that
// of a special token, which is no part of a vocabulary.
func sources() []source {
	return []source{
		{vocabularies.R50k, tokenizer.R50kBase, 0, 50256, 0},
		{vocabularies.P50k, tokenizer.P50kBase, 50256, 50281, 1},
		{vocabularies.Cl100k, tokenizer.Cl100kBase, 0, 100256, 0},
		{vocabularies.O200k, tokenizer.O200kBase, 0, 199998, 0},
	}
}

// read returns the tokens. The library has no other way to them than decoding every id.
func (s source) read() (vocabularies.List, error) {
	var list vocabularies.List
	codec, err := tokenizer.Get(s.encoding)
	if err != nil {
		return list, fmt.Errorf("find the encoding %s in the library: %w", s.encoding, err)
	}
	unused := 0
	for id := s.from; id < s.to; id++ {
		token, err := codec.Decode([]uint{id})
		if err != nil {
			token = ""
			unused++
		}
		list.Append(token)
	}
	if unused != s.unused {
		return list, fmt.Errorf("the library's encoding %s has %d ids between %d and %d that are not in use, expected are %d",
			s.encoding, unused, s.from, s.to, s.unused)
	}
	if _, err := codec.Decode([]uint{s.to}); err == nil {
		return list, fmt.Errorf("the library's encoding %s has an id %d, expected are only those below", s.encoding, s.to)
	}
	return list, nil
}
