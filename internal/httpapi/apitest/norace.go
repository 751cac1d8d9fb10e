//go:build !race

package apitest

// raced reports whether the race detector is on.
const raced = false
