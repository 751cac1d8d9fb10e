package endpoint

import (
	"errors"

	"almanac/internal/decode"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
)

// ParseFilter parses a filter parameter.
func ParseFilter[R any](catalogue *filter.Catalogue[R], text string) ([]filter.Condition[R], error) {
	conditions, err := filter.Parse(catalogue, text, filter.DefaultLimits())
	return conditions, FilterError(err)
}

// FilterError maps an error of filter parsing to the client's error.
func FilterError(err error) error {
	var refused *filter.Refused
	var invalid *decode.Invalid
	switch {
	case errors.Is(err, decode.ErrNotJSON):
		return respond.InvalidRequest("Invalid JSON in filter parameter")
	case errors.As(err, &refused):
		return respond.InvalidRequest(refused.Message)
	case errors.As(err, &invalid):
		return respond.InvalidData(invalid.Issues)
	}
	return err
}
