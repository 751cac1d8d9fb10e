package endpoint

import (
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// WriteError asks the client to retry if the store cannot accept writes for now; other errors pass through.
func WriteError(err error) error {
	if errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrDiskFull) || errors.Is(err, store.ErrUnavailable) {
		return respond.Busy("The store cannot take more for now. Try again shortly.", RetrySeconds)
	}
	return err
}

// ProjectError maps the errors of a project or key that does not exist, or of a project name that is taken.
func ProjectError(err error) error {
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("Project not found or you don't have access to it")
	case errors.Is(err, domain.ErrConflict):
		return respond.Conflict("A project with this name exists in your organization already")
	}
	return err
}

// TooMany returns the error for a request that would have to look at too many things, with advice on what to do
// instead.
func TooMany(things string, limit int, advice string) *respond.Error {
	return &respond.Error{
		Status: http.StatusUnprocessableEntity, Name: "Request timed out",
		Message: fmt.Sprintf("More than %d %s would have to be looked at. %s", limit, things, advice),
	}
}
