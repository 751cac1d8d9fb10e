package clickhouse

import (
	"slices"
	"strings"
)

// ClickHouse's word index splits text at ASCII characters other than letters and digits, whereas package filter also
// ends words at some non-ASCII characters. The index is therefore built on text in which all non-ASCII characters are
// replaced with spaces, and is queried only for the runs of ASCII letters and digits in words. Whatever ends a word
// also ends a run, so a text that contains a word contains its runs, and no row is missed. The converse is not true, so
// whether a text matches is checked separately.

// maxRuns is the maximum number of runs looked up per condition. More would hardly narrow the result further.
const maxRuns = 16

// indexedText returns the expression that the word index of a column is built on; it must agree with the schema.
func indexedText(column string) string {
	return `replaceRegexpAll(lower(` + column + `), '[^\\x00-\\x7F]+', ' ')`
}

// seen returns conditions that are true for every text that contains the words, which must be in lower case. They can
// use the index; there are none for words without ASCII.
func seen(column string, words []string, args *params) []string {
	var conditions []string
	for _, run := range asciiRuns(words) {
		conditions = append(conditions, "hasToken("+indexedText(column)+", "+args.text(run)+")")
	}
	return conditions
}

// asciiRuns returns the distinct maximal runs of ASCII letters and digits in words.
func asciiRuns(words []string) []string {
	var runs []string
	for _, word := range words {
		for run := range strings.FieldsFuncSeq(word, func(r rune) bool { return r >= 0x80 }) {
			if !slices.Contains(runs, run) {
				runs = append(runs, run)
			}
			if len(runs) == maxRuns {
				return runs
			}
		}
	}
	return runs
}
