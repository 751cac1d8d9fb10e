package tokens

import (
	"embed"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// The vocabularies are 1.5 MB of data from a library; `make generate` writes the files from it, and a test compares the
// two. Importing the library would add eight times as much to the binary.
//
// A file is a Zstandard frame of
//
//	4 bytes             the number of ids, little-endian
//	1 byte for each     the length of its token, by ascending id; 0 if the id is not in use
//	the rest            the concatenated tokens
//
//go:embed vocabularies/*.zst
var vocabularies embed.FS

// maxTokens is the maximum number of tokens in a list.
const maxTokens = 1<<18 - 1

// tokenList is a list of tokens in order of their ids, which begin at 0. An unused id has an empty token. A list takes
// the bytes of its tokens plus four bytes per token.
type tokenList struct {
	text []byte   // all tokens, concatenated
	ends []uint32 // end of each token in text
}

// len returns the number of ids.
func (l *tokenList) len() int { return len(l.ends) }

// token returns the token with an id below len. The caller must not modify it.
func (l *tokenList) token(id uint32) []byte {
	start := uint32(0)
	if id > 0 {
		start = l.ends[id-1]
	}
	return l.text[start:l.ends[id]]
}

// append adds a token with the next id.
func (l *tokenList) append(token []byte) {
	l.text = append(l.text, token...)
	l.ends = append(l.ends, uint32(len(l.text))) //nolint:gosec // a vocabulary has a few megabytes
}

// readVocabulary returns the concatenated tokens of embedded files.
func readVocabulary(names []string) tokenList {
	var l tokenList
	for _, name := range names {
		if err := l.appendFile(name); err != nil {
			panic(fmt.Sprintf("BUG: the embedded vocabulary %s cannot be read: %v", name, err))
		}
	}
	return l
}

func (l *tokenList) appendFile(name string) error {
	file, err := vocabularies.ReadFile("vocabularies/" + name + ".zst")
	if err != nil {
		return err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer decoder.Close()
	content, err := decoder.DecodeAll(file, nil)
	if err != nil {
		return err
	}
	count := binary.LittleEndian.Uint32(content)
	lengths, text := content[4:4+count], content[4+count:]
	l.text, l.ends = slices.Grow(l.text, len(text)), slices.Grow(l.ends, len(lengths))
	for _, size := range lengths {
		l.append(text[:size])
		text = text[size:]
	}
	return nil
}
