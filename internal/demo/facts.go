package demo

import "strings"

// facts are what is put for names in texts: a text says {order} where the number of an order belongs.
type facts map[string]string

// in returns a text with its names replaced. Braces around anything else, as in JSON, stay.
func (f facts) in(text string) string {
	var out strings.Builder
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		name, _, closed := strings.Cut(text[open+1:], "}")
		value, known := f[name]
		if !closed || !known {
			out.WriteString(text[:open+1])
			text = text[open+1:]
			continue
		}
		out.WriteString(text[:open])
		out.WriteString(value)
		text = text[open+1+len(name)+1:]
	}
	out.WriteString(text)
	return out.String()
}
