package httpapi

import (
	"errors"
	"net/http"

	"almanac/internal/decode"
	"almanac/internal/scores"
)

// maxBatchItems is how many scores or events one request may hold.
const maxBatchItems = 10_000

// batchAnswer says what became of each item of a batch.
type batchAnswer struct {
	Successes []batchSuccess `json:"successes"`
	Errors    []batchError   `json:"errors"`
}

type batchSuccess struct {
	ID     string `json:"id"`
	Status int    `json:"status"`
}

type batchError struct {
	ID      string `json:"id"`
	Status  int    `json:"status"`
	Message string `json:"message"`
	Error   string `json:"error"`
}

// unknownID stands for the id of an item that has none.
const unknownID = "unknown"

// created is the success of an item.
func created(id string) batchSuccess { return batchSuccess{ID: id, Status: http.StatusCreated} }

// invalidItem is the error of an item that does not fit.
func invalidItem(id string, err error) batchError {
	var invalid *decode.Invalid
	if !errors.As(err, &invalid) {
		panic("BUG: an item is refused with " + err.Error())
	}
	return batchError{ID: id, Status: http.StatusBadRequest, Message: "Invalid request data", Error: invalid.Indented()}
}

// foreignScore is what browsers are told that write to scores of others.
var foreignScore = "Access denied: " + scores.ErrForeign.Error()
