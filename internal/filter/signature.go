package filter

import (
	"strconv"
	"strings"
)

// maxSignature is the maximum size of a signature in bytes: beyond it, conditions are too rarely the same to compare
// them.
const maxSignature = 4 << 10

// Signature returns a string that is the same for conditions that match the same rows, and different for others. It
// returns false if there is none: for derived columns, which only their functions tell apart, for searches of words, and
// for long lists.
func Signature[R any](conditions []Condition[R]) (signature string, ok bool) {
	var b strings.Builder
	text := func(s string) {
		b.WriteString(strconv.Itoa(len(s)))
		b.WriteByte(':')
		b.WriteString(s)
	}
	for n := range conditions {
		c := &conditions[n]
		if c.column.Derived() || c.phrase != nil || len(c.alternatives) > 0 {
			return "", false
		}
		for _, number := range []int64{int64(c.column.index), int64(c.value), c.millis} {
			b.WriteString(strconv.FormatInt(number, 10))
			b.WriteByte(' ')
		}
		text(string(c.operator))
		text(c.key)
		text(c.text)
		for _, one := range c.texts {
			text(one)
			if b.Len() > maxSignature {
				return "", false
			}
		}
		for _, number := range append([]float64{c.number}, c.numbers...) {
			b.WriteString(strconv.FormatFloat(number, 'b', -1, 64))
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatBool(c.boolean))
		b.WriteByte(';')
	}
	return b.String(), b.Len() <= maxSignature
}
