package demo

import "strings"

// facts are what is put for names in texts: a text says {order} where the number of an order belongs.
type facts map[string]string

// in returns a text with its names replaced. Braces around anything else, as in JSON, stay.
func (f facts) in(text string) string {
	pairs := make([]string, 0, 2*len(f))
	for name, value := range f {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
