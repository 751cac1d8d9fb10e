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
