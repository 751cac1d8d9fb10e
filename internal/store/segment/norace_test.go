//go:build !race

package segment

// raced reports whether the race detector is on.
const raced = false
