//go:build !race

package segment

// raced says whether the race detector is on.
const raced = false
