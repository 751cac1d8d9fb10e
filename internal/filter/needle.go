package filter

// Needle is a string to search for, ignoring the case of ASCII letters.
type Needle struct{ phrase *phrase }

// NewNeedle returns a needle for a non-empty string.
func NewNeedle(text string) Needle { return Needle{newPhrase(text, true)} }

// Index returns the index of the first occurrence of the needle in text, or -1. It takes time linear in the length of
// the text.
func (n Needle) Index(text string) int { return n.phrase.index(text) }

// Len returns the length of the needle in bytes.
func (n Needle) Len() int { return len(n.phrase.text) }

// Matched returns the index of the needle in a text that Search finds by it: of the first that stands at the boundaries of
// words, if that is soon found. It returns -1 for other texts.
func (n Needle) Matched(text string) int {
	const most = 16
	first := -1
	for from, tries := 0, 0; tries < most; tries++ {
		at := n.phrase.index(text[from:])
		if at < 0 {
			break
		}
		at += from
		if n.phrase.standsIn(text, at) {
			return at
		}
		if first < 0 {
			first = at
		}
		from = at + 1
	}
	if first >= 0 && n.phrase.in(text) {
		return first
	}
	return -1
}
