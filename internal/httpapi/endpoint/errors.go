package endpoint

import (
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// WriteError asks the client to come back if the store cannot take more for now.
func WriteError(err error) error {
	if errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrDiskFull) {
		return respond.Busy("The store cannot take more for now. Try again shortly.", RetrySeconds)
	}
	return err
}

// ProjectError tells the client about an organization's project or key that is not there, or is there already.
func ProjectError(err error) error {
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("Project not found or you don't have access to it")
	case errors.Is(err, domain.ErrConflict):
		return respond.Conflict("A project with this name exists in your organization already")
	}
	return err
}

// TooMany refuses a request that would have to remember too many things, and says what to do instead.
func TooMany(things string, limit int, advice string) *respond.Error {
	return &respond.Error{
		Status: http.StatusUnprocessableEntity, Name: "Request timed out",
		Message: fmt.Sprintf("More than %d %s would have to be looked at. %s", limit, things, advice),
	}
}
