// Package tokens counts the tokens of texts as the tokenizers of OpenAI's models do.
//
// The vocabularies are those of a library. Cutting text into pieces and merging their bytes is done here, because the library's
// regular expressions take quadratic time for some texts (a minute for 256 KB of blank lines), cut such lines where the original
// does not, and are ten times slower otherwise, with more than an allocation per byte of text.
package tokens

import (
	"strings"
	"sync"
)

// MaxText is the length in bytes of the longest text that is counted.
const MaxText = 256 << 10

// Counter counts tokens. It loads a vocabulary when the first text needs it, which takes 3 to 15 milliseconds and keeps
// one to four megabytes from then on. It is safe for concurrent use.
type Counter struct {
	loaded [encodings]struct {
		once  sync.Once
		ranks *ranks
	}
}

// NewCounter returns a counter that has nothing loaded.
func NewCounter() *Counter { return new(Counter) }

// Count returns the number of tokens of a text: of its messages if the method knows messages and the text is a JSON list of
// them, else of the text. It reports false for texts longer than MaxText, and when the method is unknown.
func (c *Counter) Count(m Method, text string) (n int, ok bool) {
	if !m.Known() || len(text) > MaxText {
		return 0, false
	}
	return m.count(c.vocabularyOf(m.encoding), text), true
}

func (c *Counter) vocabularyOf(e encoding) vocabulary {
	l := &c.loaded[e]
	l.once.Do(func() { l.ranks = newRanks(readVocabulary(e.files())) })
	return vocabulary{encoding: e, ranks: l.ranks}
}

// vocabulary is an encoding that is ready for use.
type vocabulary struct {
	encoding encoding
	ranks    *ranks
}

// count returns the number of tokens of a text. Special tokens in it count as what they are, and nothing is merged across
// them.
func (v vocabulary) count(text string) int {
	n := 0
	for {
		start, size := v.encoding.findSpecial(text)
		if size == 0 {
			return n + v.countPlain(text)
		}
		n += v.countPlain(text[:start]) + 1
		text = text[start+size:]
	}
}

// countPlain counts a text without regard to special tokens.
func (v vocabulary) countPlain(text string) int {
	n := 0
	for text != "" {
		size := v.encoding.nextPiece(text)
		n += v.ranks.countPiece(text[:size])
		text = text[size:]
	}
	return n
}

// findSpecial returns where the first special token of the text is, and its length; 0 when there is none.
func (e encoding) findSpecial(text string) (start, size int) {
	for start < len(text) {
		n := strings.Index(text[start:], "<|")
		if n < 0 {
			return 0, 0
		}
		start += n
		for _, token := range e.specialTokens() {
			if strings.HasPrefix(text[start:], token) {
				return start, len(token)
			}
		}
		start += len("<|")
	}
	return 0, 0
}
