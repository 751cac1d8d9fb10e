package endpoint

import (
	"errors"
	"net/http"

	"almanac/internal/decode"
	"almanac/internal/ingest/scores"
)

// MaxBatchItems is the maximum number of scores or events in one request.
const MaxBatchItems = 10_000

// BatchResponse is the response to a batch: the outcome of each item.
type BatchResponse struct {
	Successes []BatchSuccess `json:"successes"`
	Errors    []BatchError   `json:"errors"`
}

// BatchSuccess is the outcome of an item that was stored.
type BatchSuccess struct {
	ID     string `json:"id"`
	Status int    `json:"status"`
}

// BatchError is the outcome of an item that was not stored.
type BatchError struct {
	ID      string `json:"id"`
	Status  int    `json:"status"`
	Message string `json:"message"`
	Error   string `json:"error"`
}

// UnknownID is reported for an item without an id.
const UnknownID = "unknown"

// Created returns the outcome of an item that was created.
func Created(id string) BatchSuccess { return BatchSuccess{ID: id, Status: http.StatusCreated} }

// InvalidItem returns the outcome of an item that failed validation. err must wrap a *decode.Invalid.
func InvalidItem(id string, err error) BatchError {
	var invalid *decode.Invalid
	if !errors.As(err, &invalid) {
		panic("BUG: an item is refused with " + err.Error())
	}
	return BatchError{ID: id, Status: http.StatusBadRequest, Message: "Invalid request data", Error: invalid.Indented()}
}

// ForeignScore is the error message for a browser that writes to a score it did not create.
var ForeignScore = "Access denied: " + scores.ErrForeign.Error()
