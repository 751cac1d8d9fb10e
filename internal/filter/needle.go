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

// Matched returns the index of the needle in a text that Search finds by it: where it stands at the boundaries of words, if
// that is soon found. It returns -1 for other texts.
func (n Needle) Matched(text string) int {
	if at := n.Stands(text, 0); at >= 0 {
		return at
	}
	if n.phrase.in(text) {
		return n.phrase.index(text)
	}
	return -1
}

// Stands returns the index of the needle where it stands at the boundaries of words, at or after from, or -1 if there is no
// such place or it is not soon found.
func (n Needle) Stands(text string, from int) int {
	const most = 16
	for range most {
		at := n.phrase.index(text[from:])
		if at < 0 {
			return -1
		}
		if at += from; n.phrase.standsIn(text, at) {
			return at
		}
		from = at + 1
	}
	return -1
}
