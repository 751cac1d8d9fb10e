package sdk

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// summary counts what was done with each client. TestMain prints it.
var summary = tally{clients: make(map[string]*counts)}

type tally struct {
	mutex   sync.Mutex
	clients map[string]*counts
}

type counts struct {
	programs int // scripts and examples that succeeded
	methods  int // called methods of the generated clients
	rows     int // sent, and compared field by field with what is stored
}

// clientOf maps programs to the names of clients in the summary.
var clientOf = map[string]string{
	python:           "Python, newest",
	previousPython:   "Python, previous major",
	olderPython:      "Python, before OpenTelemetry",
	frameworksPython: "Python, with frameworks",
	telemetrygen:     "telemetrygen",
	"node":           "JavaScript",
}

// count changes the counts of the client of a program. Other programs are ignored.
func (a *tally) count(program string, change func(*counts)) {
	client, ok := clientOf[program]
	if !ok {
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.clients[client] == nil {
		a.clients[client] = new(counts)
	}
	change(a.clients[client])
}

func (a *tally) String() string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	var text strings.Builder
	var all counts
	fmt.Fprintf(&text, "%-30s %9s %9s %9s\n", "client", "programs", "methods", "rows")
	for _, client := range slices.Sorted(maps.Keys(a.clients)) {
		c := a.clients[client]
		fmt.Fprintf(&text, "%-30s %9d %9d %9d\n", client, c.programs, c.methods, c.rows)
		all.programs += c.programs
		all.methods += c.methods
		all.rows += c.rows
	}
	// test/count adds up these lines.
	fmt.Fprintf(&text, "counted: %d programs\ncounted: %d methods\ncounted: %d rows\n", all.programs, all.methods, all.rows)
	return text.String()
}
