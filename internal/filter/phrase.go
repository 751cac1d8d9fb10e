package filter

import "strings"

// phrase is the value of a matches condition: a string that must occur literally, and whose words must all occur as
// whole words, there or elsewhere.
type phrase struct {
	text  string // in lower case if fold
	words []string
	fold  bool // ignore the case of ASCII letters
	rare  int  // index of the byte in text that is rarest in most texts
}

func newPhrase(value string, fold bool) *phrase {
	p := &phrase{text: value, fold: fold}
	if fold {
		p.text = string(appendFolded(nil, value))
	}
	p.words = queryWords(p.text)
	// Ordered from the most common in English text and JSON. Bytes that are not listed are rare.
	const common = " etaoinsrhldcu\",:mfpgywbvk.0123456789-_"
	best := -1
	for i := range len(p.text) {
		rank := strings.IndexByte(common, p.text[i])
		if rank < 0 {
			p.rare = i
			break
		}
		if rank > best {
			best, p.rare = rank, i
		}
	}
	return p
}

// in reports whether text matches.
func (p *phrase) in(text string) bool {
	at := p.index(text)
	if at < 0 {
		return false
	}
	if p.standsIn(text, at) {
		return true
	}
	missing := p.allWords()
	p.findWords(text, &missing)
	return missing == 0
}

// inMetadata reports whether metadata matches: the text of one entry must contain the phrase, but its words may be
// anywhere in the values.
func (p *phrase) inMetadata(json, text string) bool {
	at := p.index(text)
	if at < 0 {
		return false
	}
	if p.standsIn(text, at) {
		return true
	}
	missing := p.allWords()
	EachLeaf(json, func(_, text string) bool {
		p.findWords(text, &missing)
		return missing != 0
	})
	return missing == 0
}

// standsIn reports whether the phrase begins and ends at word boundaries. Then all its words are whole words of the
// text, since the surroundings of the inner ones are part of the phrase.
func (p *phrase) standsIn(text string, at int) bool {
	return isBoundary(text, at) && isBoundary(text, at+len(p.text))
}

// allWords returns a set with one bit per word.
func (p *phrase) allWords() uint64 { return 1<<len(p.words) - 1 } // with 64 words the shift yields 0, which leaves all bits set

// findWords removes the words that the text contains from the set of missing words.
func (p *phrase) findWords(text string, missing *uint64) {
	for start, end := nextWord(text, 0); start < end && *missing != 0; start, end = nextWord(text, end) {
		word := text[start:end]
		for i, wanted := range p.words {
			if *missing&(1<<i) == 0 || len(wanted) != len(word) {
				continue
			}
			if p.fold && foldedPrefix(word, wanted) == len(wanted) || word == wanted {
				*missing &^= 1 << i
				break
			}
		}
	}
}

// index returns the index of the first occurrence of the phrase in text, or -1.
func (p *phrase) index(text string) int {
	if !p.fold {
		return strings.Index(text, p.text)
	}
	if len(text) < len(p.text) {
		return -1
	}
	// Look for the rare byte in both cases, and compare the rest only where it occurs.
	within := text[p.rare : len(text)-len(p.text)+p.rare+1]
	low := p.text[p.rare]
	nextLow, nextUp := indexFrom(within, 0, low), len(within)
	if 'a' <= low && low <= 'z' {
		nextUp = indexFrom(within, 0, low-'a'+'A')
	}
	budget := 4*len(text) + 64
	for {
		at := min(nextLow, nextUp)
		if at == len(within) {
			return -1
		}
		equal := foldedPrefix(text[at:], p.text)
		if equal == len(p.text) {
			return at
		}
		// Texts with few distinct bytes would be compared over and over. Searching a copy is linear.
		if budget -= equal; budget < 0 {
			return p.indexInCopy(text, at+1)
		}
		if at == nextLow {
			nextLow = indexFrom(within, at+1, low)
		} else {
			nextUp = indexFrom(within, at+1, low-'a'+'A')
		}
	}
}

func (p *phrase) indexInCopy(text string, from int) int {
	at := strings.Index(string(appendFolded(nil, text[from:])), p.text)
	if at < 0 {
		return -1
	}
	return from + at
}

// indexFrom returns the index of the next c at or after from, or len(text) if there is none.
func indexFrom(text string, from int, c byte) int {
	at := strings.IndexByte(text[from:], c)
	if at < 0 {
		return len(text)
	}
	return from + at
}

// foldedPrefix returns the length of the common prefix of text in lower case and folded.
func foldedPrefix(text, folded string) int {
	n := min(len(text), len(folded))
	for i := range n {
		if lower(text[i]) != folded[i] {
			return i
		}
	}
	return n
}
