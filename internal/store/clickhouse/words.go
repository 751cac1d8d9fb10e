package clickhouse

import (
	"slices"
	"strings"
)

// ClickHouse's index of words divides texts at ASCII characters that are neither letters nor digits, whereas to package filter
// some characters that are not ASCII end words too. The index is therefore made of texts in which every character that is
// not ASCII is a blank, and asked for the runs of ASCII letters and digits of words only. What ends a word ends a run as well,
// so a text that holds a word holds its runs, and no row is lost. More texts hold them: whether a text matches is checked
// apart from that.

// maxRuns is how many runs of a condition are looked for. More of them would hardly leave fewer rows.
const maxRuns = 16

// indexedText is the text whose words the index of a column knows, as the schema has it.
func indexedText(column string) string {
	return `replaceRegexpAll(lower(` + column + `), '[^\\x00-\\x7F]+', ' ')`
}

// seen returns conditions that every text meets which holds the words, in lower case. The index knows them; there are none
// for words without anything ASCII.
func seen(column string, words []string, args *bound) []string {
	var conditions []string
	for _, run := range asciiRuns(words) {
		conditions = append(conditions, "hasToken("+indexedText(column)+", "+args.text(run)+")")
	}
	return conditions
}

// asciiRuns returns the longest runs of ASCII letters and digits in words, each once.
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
