package httpapi

import (
	"errors"

	"almanac/internal/decode"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
)

// parseFilter reads a parameter that holds a filter.
func parseFilter[R any](catalogue *filter.Catalogue[R], text string) ([]filter.Condition[R], error) {
	conditions, err := filter.Parse(catalogue, text, filter.DefaultLimits())
	return conditions, filterError(err)
}

// filterError tells the client what is wrong with a filter.
func filterError(err error) error {
	var refused *filter.Refused
	var invalid *filter.Invalid
	switch {
	case errors.Is(err, filter.ErrNotJSON):
		return respond.InvalidRequest("Invalid JSON in filter parameter")
	case errors.As(err, &refused):
		return respond.InvalidRequest(refused.Message)
	case errors.As(err, &invalid):
		issues := make([]decode.Issue, len(invalid.Issues))
		for n, issue := range invalid.Issues {
			issues[n] = filterIssue(issue)
		}
		return respond.InvalidData(issues)
	}
	return err
}

func filterIssue(i filter.Issue) decode.Issue {
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
