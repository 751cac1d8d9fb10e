package domain

import "errors"

// The error kinds shared by all stores. Stores wrap them with what was attempted and with which value.
var (
	// ErrNotFound means that the named thing does not exist, at least not within the caller's scope. The two cases are not
	// distinguished, so that ids of other projects cannot be probed.
	ErrNotFound = errors.New("not found")
	// ErrConflict means that the write conflicts with existing data, such as a name that is taken.
	ErrConflict = errors.New("conflict")
	// ErrTooMany means that the maximum number of such things is reached.
	ErrTooMany = errors.New("too many")
)
