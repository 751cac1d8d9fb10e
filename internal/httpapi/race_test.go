//go:build race

package httpapi

// raced reports whether the race detector is on.
const raced = true
