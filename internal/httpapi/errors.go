package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/experiments"
	"almanac/internal/httpapi/respond"
	"almanac/internal/traces"
)

// tooMany refuses a request that would have to remember too many things, and says what to do instead.
func tooMany(things string, limit int, advice string) *respond.Error {
	return &respond.Error{
		Status: http.StatusUnprocessableEntity, Name: "Request timed out",
		Message: fmt.Sprintf("More than %d %s would have to be looked at. %s", limit, things, advice),
	}
}

// refusedSearch is the answer to a request for which too many things would have to be remembered; nil for any other error.
func refusedSearch(err error) *respond.Error {
	many, _ := errors.AsType[*traces.TooMany](err)
	switch {
	case many != nil && many.Things == "sessions":
		return tooMany(many.Things, many.Limit, "Use GET "+observationsSuccessor+" instead.")
	case many != nil:
		return tooMany(many.Things, many.Limit, "Ask for less: a shorter time range, or a user, a session, a name or tags that fewer traces have.")
	case errors.Is(err, experiments.ErrTooMany):
		return tooMany("experiments", experiments.MaxExperiments, "Ask for less: a shorter time range, or a dataset.")
	case errors.Is(err, experiments.ErrTooManyRuns):
		return tooMany("dataset runs", experiments.MaxRuns, "Use GET "+runsSuccessor+" instead.")
	case errors.Is(err, experiments.ErrTooManyItems):
		return tooMany("items of a dataset run", experiments.MaxRuns, "Use GET "+runItemsSuccessor+" instead.")
	}
	return nil
}
