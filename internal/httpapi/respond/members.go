package respond

// members goes over the members of a JSON object without building anything, and checks them on the way: stored texts
// are written by the program, but what is passed on must be JSON even if one was damaged.
type members struct {
	text string
	at   int // where the last member ends; 0 before the first

	name  string // between its quotes, with escapes
	value string
	start int // of the value in the text

	// whole says, once next returned false, that the text was an object from its beginning to its end.
	whole bool
}

func membersOf(text string) members { return members{text: text} }

func (m *members) next() bool {
	s := m.text
	i := skipSpace(s, m.at)
	if m.at == 0 {
		if i == len(s) || s[i] != '{' {
			return false
		}
		i = skipSpace(s, i+1)
		if m.ends(i) {
			return false
		}
	} else {
		if m.ends(i) || i == len(s) || s[i] != ',' {
			return false
		}
		i = skipSpace(s, i+1)
	}
	nameEnd := endOfString(s, i)
	start := beginningOfValue(s, nameEnd)
	if start < 0 {
		return false
	}
	end := endOfValue(s, start, maxNesting)
	if end < 0 {
		return false
	}
	m.name, m.value = s[i+1:nameEnd-1], s[start:end]
	m.start, m.at = start, end
	return true
}

// ends says whether the object ends at i, and notes whether the text does too.
func (m *members) ends(i int) bool {
	if i == len(m.text) || m.text[i] != '}' {
		return false
	}
	m.whole = skipSpace(m.text, i+1) == len(m.text)
	return true
}
