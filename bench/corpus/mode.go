package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// Mode is the kind of application that the rows come from.
type Mode uint8

// The modes.
const (
	// Text rows hold about 1.2 KB of input, 0.8 KB of output and 0.4 KB of metadata; 8 rows are a trace.
	Text Mode = iota
	// Conversations are 20 turns of an agent. A turn is a trace of 8 to 40 rows, and the input of every generation in it is
	// the whole conversation so far, so that most of what is written was written before.
	Conversations
	// Chats are 20 turns without an agent. A turn is one call of a model in a trace of its own. Rows are as long as those of
	// Text, 2.4 KB, but most of a row was in the one before.
	Chats
	// Threads are the same as Chats, but all turns of one are in one trace, one after the other: an agent that calls its model
	// again and again.
	Threads
)

var names = []string{Text: "text", Conversations: "conversations", Chats: "chats", Threads: "threads"}

// String returns the mode's name.
func (m Mode) String() string { return names[m] }

// MarshalText returns the mode's name, so that a mode can be an option of a program.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the name of a mode.
func (m *Mode) UnmarshalText(name []byte) error {
	if n := slices.Index(names, string(name)); n >= 0 {
		*m = Mode(n) //nolint:gosec // there are few
		return nil
	}
	return fmt.Errorf("unknown mode %q: expected one of %s", name, strings.Join(names, ", "))
}
