package localstore

import (
	"errors"
	"net/http"

	"almanac/internal/store"
)

// Requests are POST /TABLE/OPERATION with the project in a header and a body in Go's own format: both sides are the same
// program, which versionHeader ensures.
const (
	versionHeader = "Almanac-Version"
	projectHeader = "Almanac-Project"
)

// The tables.
const (
	observations = "observations"
	scores       = "scores"
)

// maxRequest is the maximum size of a request, larger than any row that the server accepts otherwise.
const maxRequest = 256 << 20

// rowsAtOnce is the size in bytes of the rows that a client sends at a time. Only a single row may be larger.
const rowsAtOnce = 4 << 20

// found is an element of the response to a lookup. The last one has no row, so that a response that was cut short is
// noticed.
type found[R any] struct {
	Row   *R
	Error *failure
}

// failure is an error as it is sent to the client.
type failure struct {
	Kind    string
	Message string
}

// kinds are the errors of the store that clients must be able to tell apart.
var kinds = map[string]error{
	"busy": store.ErrBusy, "unavailable": store.ErrUnavailable, "disk full": store.ErrDiskFull, "closed": store.ErrClosed,
	"too large": store.ErrTooLarge, "invalid": store.ErrInvalid,
}

func failureOf(err error) *failure {
	f := &failure{Message: err.Error()}
	for kind, known := range kinds {
		if errors.Is(err, known) {
			f.Kind = kind
		}
	}
	return f
}

// err returns the error that the server had.
func (f *failure) err() error { return &remoteError{f.Message, kinds[f.Kind]} }

// remoteError is an error of the server's store.
type remoteError struct {
	message string
	kind    error
}

func (e *remoteError) Error() string { return e.message }

func (e *remoteError) Unwrap() error { return e.kind }

// statusFailed is the status of responses whose body is a failure.
const statusFailed = http.StatusUnprocessableEntity
