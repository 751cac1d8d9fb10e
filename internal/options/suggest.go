package options

import (
	"fmt"
	"strconv"
	"strings"
)

// suggestion ends a message about a name that nothing has: it says which one may have been meant, if any comes close.
func suggestion(typed string, names []string) string {
	var near []string
	for _, name := range names {
		if comesClose(strings.TrimLeft(typed, "-"), strings.TrimLeft(name, "-")) {
			near = append(near, strconv.Quote(name))
		}
	}
	switch len(near) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(", did you mean %s?", near[0])
	}
	return fmt.Sprintf(", did you mean one of %s?", strings.Join(near, ", "))
}

// comesClose says whether a name begins with what was typed, or differs from it in two letters at most
// and not altogether.
func comesClose(typed, name string) bool {
	if typed == "" {
		return false
	}
	return strings.HasPrefix(name, typed) || distance(typed, name) <= min(2, (len(typed)+1)/2)
}

// distance is the number of letters to add, remove or replace to make one text of another. Very long texts are not compared.
func distance(a, b string) int {
	const longest = 64
	from, to := []rune(a), []rune(b)
	if len(from) > longest || len(to) > longest {
		return longest
	}
	// row[j] is the distance between what of a was looked at and the first j letters of b.
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, letter := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, other := range to {
			replaced := diagonal
			if letter != other {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}
