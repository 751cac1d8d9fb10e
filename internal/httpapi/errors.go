package httpapi

import (
	"errors"

	"almanac/internal/filter"
	"almanac/internal/httpapi/datasets"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/httpapi/traces"
	"almanac/internal/query/experiments"
	queryTraces "almanac/internal/query/traces"
)

// refusedSearch returns the response for a query that would have to hold too many objects in memory, or nil for any
// other error.
func refusedSearch(err error) *respond.Error {
	many, _ := errors.AsType[*queryTraces.TooMany](err)
	refused, _ := errors.AsType[*filter.Refused](err)
	switch {
	case refused != nil: // only known once it is resolved
		return respond.InvalidRequest(refused.Message)
	case many != nil && many.Things == "sessions":
		return endpoint.TooMany(many.Things, many.Limit, "Use GET "+traces.ObservationsSuccessor+" instead.")
	case many != nil:
		return endpoint.TooMany(many.Things, many.Limit,
			"Ask for less: a shorter time range, or a user, a session, a name or tags that fewer traces have.")
	case errors.Is(err, experiments.ErrTooMany):
		return endpoint.TooMany("experiments", experiments.MaxExperiments, "Ask for less: a shorter time range, or a dataset.")
	case errors.Is(err, experiments.ErrTooManyRuns):
		return endpoint.TooMany("dataset runs", experiments.MaxRuns, "Use GET "+datasets.RunsSuccessor+" instead.")
	case errors.Is(err, experiments.ErrTooManyItems):
		return endpoint.TooMany("items of a dataset run", experiments.MaxRuns, "Use GET "+datasets.RunItemsSuccessor+" instead.")
	}
	return nil
}
