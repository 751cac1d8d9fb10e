package catalog

import (
	"fmt"

	"github.com/google/uuid"
)

// orderedID returns a new id of the kind that sorts by time, so that things of one millisecond keep the order in which one
// server made them.
func orderedID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("cannot make an id: %w", err)
	}
	return id.String(), nil
}
