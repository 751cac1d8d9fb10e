package respond

import "almanac/internal/decode"

// scoreFieldGroups are the names of the groups of fields of scores, as clients are told them.
var scoreFieldGroups = []string{"core", "details", "subject", "annotation"}

// ParseScoreFields reads names of groups, each of which must exist. What every score is returned with is always meant.
func ParseScoreFields(names []string) (ScoreFields, *Error) {
	var fields ScoreFields
	var issues []decode.Issue
	for i, name := range names {
		switch name {
		case "core":
		case "details":
			fields |= ScoreDetails
		case "subject":
			fields |= ScoreSubject
		case "annotation":
			fields |= ScoreAnnotation
		default:
			if len(issues) < maxFieldIssues {
				issues = append(issues, decode.NotInEnum([]any{"fields", i}, scoreFieldGroups))
			}
		}
	}
	if len(issues) > 0 {
		return 0, InvalidData(issues)
	}
	return fields, nil
}
