package respond

import (
	"slices"

	"almanac/internal/decode"
)

// parseGroups reads names of groups of fields, each of which must exist. It returns a set with the bit of each name's
// place among those that are known.
func parseGroups(names, known []string) (set uint16, refused *Error) {
	var issues []decode.Issue
	for i, name := range names {
		if n := slices.Index(known, name); n >= 0 {
			set |= 1 << n
		} else if len(issues) < maxFieldIssues {
			issues = append(issues, decode.NotInEnum([]any{"fields", i}, known))
		}
	}
	if len(issues) > 0 {
		return 0, InvalidData(issues)
	}
	return set, nil
}
