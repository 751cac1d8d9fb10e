package catalog

import "github.com/google/uuid"

// orderedID returns a new id that sorts by time, so that things of one millisecond keep the order in which one server made them.
func orderedID() string { return uuid.Must(uuid.NewV7()).String() }
