package filter

// Needle is a text that is looked for whatever the case of its ASCII letters.
type Needle struct{ phrase *phrase }

// NewNeedle returns a needle for a text that is not empty.
func NewNeedle(text string) Needle { return Needle{newPhrase(text, true)} }

// Index returns where the needle first occurs in a text; -1 if it does not. It takes time that is linear in the length of the text.
func (n Needle) Index(text string) int { return n.phrase.index(text) }

// Len returns how many bytes it is long.
func (n Needle) Len() int { return len(n.phrase.text) }
