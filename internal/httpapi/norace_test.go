//go:build !race

package httpapi

// raced says whether the race detector is on.
const raced = false
