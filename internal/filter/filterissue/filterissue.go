// Package filterissue tells clients what is wrong with the form of a filter, in the words that they know.
package filterissue

import (
	"almanac/internal/decode"
	"almanac/internal/filter"
)

// All returns the issues of a filter as those of a request.
func All(invalid *filter.Invalid) []decode.Issue {
	issues := make([]decode.Issue, len(invalid.Issues))
	for n := range invalid.Issues {
		issues[n] = of(&invalid.Issues[n])
	}
	return issues
}

func of(i *filter.Issue) decode.Issue {
	switch {
	case i.Code == filter.WrongType:
		return decode.WrongType(i.Path, i.Expected, i.Received)
	case i.Code == filter.WrongValue:
		return decode.NotInEnum(i.Path, i.Allowed[0])
	case i.Code == filter.WrongUnion && len(i.Allowed) == 0:
		return decode.NoDiscriminator(i.Path, "type")
	case i.Code == filter.WrongUnion:
		variants := make([][]decode.Issue, len(i.Allowed))
		for n, allowed := range i.Allowed {
			variants[n] = []decode.Issue{decode.NotInEnum([]any{}, allowed)}
		}
		return decode.NoVariant(i.Path, variants...)
	case i.Code == filter.TooBig:
		return decode.TooLong(i.Path, i.Origin, i.Maximum)
	}
	return decode.Violation(i.Path, i.Message)
}
