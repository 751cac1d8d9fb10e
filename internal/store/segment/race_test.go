//go:build race

package segment

// raced says that the race detector is on, under which some tests take ten times as long and find nothing more: they have
// one goroutine at a time. Those run without it; see test/run.
const raced = true
