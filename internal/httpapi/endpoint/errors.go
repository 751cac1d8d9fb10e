package endpoint

import (
	"errors"

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
