package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/auth"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// writeError asks the client to come back if the store cannot take more for now.
func writeError(err error) error {
	if errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrDiskFull) {
		return respond.Busy("The store cannot take more for now. Try again shortly.", retrySeconds)
	}
	return err
}

// projectError tells the client about an organization's project or key that is not there, or is there already.
func projectError(err error) error {
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("Project not found or you don't have access to it")
	case errors.Is(err, domain.ErrConflict):
		return respond.Conflict("A project with this name exists in your organization already")
	}
	return err
}

// tooMany refuses a request that would have to remember too many things, and says what to do instead.
func tooMany(things string, limit int, advice string) error {
	return &respond.Error{
		Status: http.StatusUnprocessableEntity, Name: "Request timed out",
		Message: fmt.Sprintf("More than %d %s would have to be looked at. %s", limit, things, advice),
	}
}

// lacking refuses a key that holds no such permission.
func lacking(permission domain.Permission) error {
	return &auth.Denied{Status: http.StatusForbidden, Message: insufficient + ": the key lacks the permission " + permission.String()}
}
