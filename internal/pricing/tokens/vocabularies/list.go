package vocabularies

import "math"

// MaxTokens is the largest number of tokens in a list.
const MaxTokens = 1<<18 - 1

// maxToken is the length in bytes of the longest token.
const maxToken = math.MaxUint8

// List is tokens in the order of their ids, which begin at 0. An id that is not in use has an empty token. A list takes
// the bytes of its tokens and four more for each.
type List struct {
	text []byte   // all tokens, one after the other
	ends []uint32 // where each of them ends in the text
}

// Len returns the number of ids.
func (l *List) Len() int { return len(l.ends) }

// Token returns the token of an id below Len. It must not be changed.
func (l *List) Token(id uint32) []byte {
	start := uint32(0)
	if id > 0 {
		start = l.ends[id-1]
	}
	return l.text[start:l.ends[id]]
}

// Append adds the token of the next id.
func (l *List) Append(token string) {
	l.text = append(l.text, token...)
	l.ends = append(l.ends, uint32(len(l.text))) //nolint:gosec // at most MaxTokens of maxToken bytes, 64 MB
}
