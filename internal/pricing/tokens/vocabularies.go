package tokens

import (
	"embed"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// The vocabularies are data of a library, 1.5 MB of them; `make generate` writes the files from it, and a test compares the two.
// Imported, the library would add eight times as much to the program.
//
// A file is a Zstandard frame of
//
//	4 bytes             the number of ids, little-endian
//	1 byte for each     the length of its token, by ascending id; 0 when the id is not in use
//	the rest            the tokens, one after the other
//
//go:embed vocabularies/*.zst
var vocabularies embed.FS

// maxTokens is the largest number of tokens in a list.
const maxTokens = 1<<18 - 1

// tokenList is tokens in the order of their ids, which begin at 0. An id that is not in use has an empty token. A list takes
// the bytes of its tokens and four more for each.
type tokenList struct {
	text []byte   // all tokens, one after the other
	ends []uint32 // where each of them ends in the text
}

// len returns the number of ids.
func (l *tokenList) len() int { return len(l.ends) }

// token returns the token of an id below len. It must not be changed.
func (l *tokenList) token(id uint32) []byte {
	start := uint32(0)
	if id > 0 {
		start = l.ends[id-1]
	}
	return l.text[start:l.ends[id]]
}

// append adds the token of the next id.
func (l *tokenList) append(token []byte) {
	l.text = append(l.text, token...)
	l.ends = append(l.ends, uint32(len(l.text))) //nolint:gosec // a vocabulary has a few megabytes
}

// readVocabulary returns the tokens of embedded files, those of the second after those of the first and so on.
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
