package domain

import "errors"

// The error kinds of every store. Stores wrap them with what was attempted and with which value.
var (
	// ErrNotFound means that the named thing does not exist, or not within the caller's scope: the two are
	// not told apart, so that ids of other projects cannot be probed.
	ErrNotFound = errors.New("not found")
	// ErrConflict means that the write contradicts something that exists, such as a name that is taken.
	ErrConflict = errors.New("conflict")
	// ErrTooMany means that there are as many things of the kind as there may be.
	ErrTooMany = errors.New("too many")
)
