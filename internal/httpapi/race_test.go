//go:build race

package httpapi

// raced says that the race detector is on.
const raced = true
