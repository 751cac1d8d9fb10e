package main

import "strings"

// statement holds what has to be known about a query before the engine sees it.
type statement struct {
	text   string
	kind   string // its first word in upper case
	format string // that it requests or that its rows are in; "" if not given
	insert bool   // rows in that format follow after the text
	rest   int    // where they begin
	query  int    // of an insert, where the words FORMAT … begin
}

// word is a token: a word, a quoted name or a single character.
type word struct {
	text       string // in upper case, unless quoted
	begin, end int
}

// words reads the tokens of a query, skipping comments and string literals.
type words struct {
	text string
	at   int
}

func (w *words) next() (word, bool) {
	for w.at < len(w.text) {
		rest := w.text[w.at:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			w.at++
		case strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "#!") || strings.HasPrefix(rest, "# "):
			w.skipPast(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			w.skipPast(rest, "*/")
		case c == '\'' || c == '"' || c == '`':
			begin := w.at
			w.at += quotedLength(rest)
			return word{w.text[begin:w.at], begin, w.at}, true
		case isLetter(c):
			begin := w.at
			for w.at < len(w.text) && isLetter(w.text[w.at]) {
				w.at++
			}
			return word{strings.ToUpper(w.text[begin:w.at]), begin, w.at}, true
		default:
			w.at++
			return word{rest[:1], w.at - 1, w.at}, true
		}
	}
	return word{}, false
}

func (w *words) skipPast(rest, mark string) {
	if i := strings.Index(rest, mark); i >= 0 {
		w.at += i + len(mark)
		return
	}
	w.at = len(w.text)
}

// quotedLength returns the length of the quoted string that a text begins with. A backslash escapes a quote. A doubled
// quote looks like two strings, which is harmless here.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

func isLetter(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// understand analyzes a query. The rows of an insert may follow in the same string.
func understand(text string) (statement, error) {
	s := statement{text: text}
	tokens := words{text: text}
	depth := 0
	for {
		t, ok := tokens.next()
		if !ok {
			break
		}
		if s.kind == "" && t.text != "(" {
			s.kind = t.text
		}
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		case "VALUES":
			if s.kind == "INSERT" && depth == 0 {
				return s, nil // the engine reads them with the rest
			}
		case "FORMAT":
			format, ok := tokens.next()
			if depth != 0 || !ok || !isLetter(text[format.begin]) {
				continue
			}
			s.format = text[format.begin:format.end]
			if s.kind == "INSERT" {
				s.insert, s.query = true, t.begin
				s.rest = afterFormat(text, format.end)
				return s, nil
			}
		case ";":
			if more, ok := tokens.next(); ok && more.text != ";" {
				return s,
					fail(codeSyntaxError, "SYNTAX_ERROR", "Syntax error (Multi-statements are not allowed): failed at position %d",
						t.begin+1)
			}
		}
	}
	return s, nil
}

// afterFormat returns where rows begin: after the blanks that follow the name of their format and one line end.
func afterFormat(text string, at int) int {
	for at < len(text) && strings.IndexByte(" \t\f", text[at]) >= 0 {
		at++
	}
	if at < len(text) && text[at] == '\r' {
		at++
	}
	if at < len(text) && text[at] == '\n' {
		at++
	}
	return at
}

// reads reports whether a statement changes nothing and leaves no state in the connection.
func (s statement) reads() bool {
	switch s.kind {
	case "SELECT", "WITH", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "EXISTS":
		return true
	}
	return false
}
