package respond

import (
	"slices"
	"strings"

	"almanac/internal/decode"
)

// parseGroups reads the values of the parameter fields where each name must exist: one value with names between commas,
// or several values with a name each. It returns a set with the bit of each name's place, or nothing if no name is given.
func parseGroups(values, known []string) (set uint16, refused *Error) {
	names := values
	if len(values) == 1 {
		names = strings.Split(values[0], ",")
	}
	var issues []decode.Issue
	place := 0
	for _, name := range names {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if n := slices.Index(known, name); n >= 0 {
			set |= 1 << n
		} else if len(issues) < maxFieldIssues {
			issues = append(issues, decode.NotInEnum([]any{"fields", place}, known))
		}
		place++
	}
	if len(issues) > 0 {
		return 0, InvalidData(issues)
	}
	return set, nil
}
