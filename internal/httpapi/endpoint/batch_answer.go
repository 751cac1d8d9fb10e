package endpoint

import (
	"errors"
	"net/http"

	"almanac/internal/decode"
	"almanac/internal/scores"
)

// MaxBatchItems is how many scores or events one request may hold.
const MaxBatchItems = 10_000

// BatchAnswer says what became of each item of a batch.
type BatchAnswer struct {
	Successes []BatchSuccess `json:"successes"`
	Errors    []BatchError   `json:"errors"`
}

// BatchSuccess is the answer to an item that was stored.
type BatchSuccess struct {
	ID     string `json:"id"`
	Status int    `json:"status"`
}

// BatchError is the answer to an item that was not.
type BatchError struct {
	ID      string `json:"id"`
	Status  int    `json:"status"`
	Message string `json:"message"`
	Error   string `json:"error"`
}

// UnknownID stands for the id of an item that has none.
const UnknownID = "unknown"

// Created is the success of an item.
func Created(id string) BatchSuccess { return BatchSuccess{ID: id, Status: http.StatusCreated} }

// InvalidItem is the error of an item that does not fit.
func InvalidItem(id string, err error) BatchError {
	var invalid *decode.Invalid
	if !errors.As(err, &invalid) {
		panic("BUG: an item is refused with " + err.Error())
	}
	return BatchError{ID: id, Status: http.StatusBadRequest, Message: "Invalid request data", Error: invalid.Indented()}
}

// ForeignScore is what browsers are told that write to scores of others.
var ForeignScore = "Access denied: " + scores.ErrForeign.Error()
