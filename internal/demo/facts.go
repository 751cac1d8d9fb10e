package demo

import "strings"

// facts are the values of placeholders in texts: {order} stands for the number of an order.
type facts map[string]string

// in returns a text with its placeholders replaced. Braces around anything else, as in JSON, are kept.
func (f facts) in(text string) string {
	pairs := make([]string, 0, 2*len(f))
	for name, value := range f {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
