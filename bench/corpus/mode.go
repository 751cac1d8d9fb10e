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
	// Text rows have about 1.2 KB of input, 0.8 KB of output and 0.4 KB of metadata. A trace has 8 rows.
	Text Mode = iota
	// Conversations have 20 turns of an agent. A turn is a trace of 8 to 40 rows, and the input of each of its
	// generations is the whole conversation so far, so that most of what is written has been written before.
	Conversations
	// Chats have 20 turns without an agent. A turn is one model call in its own trace. Rows are as long as those of
	// Text, 2.4 KB, but most of a row was in the previous one.
	Chats
	// Threads are like Chats, but all turns of one are in the same trace: an agent that calls its model again and
	// again.
	Threads
)

var names = []string{Text: "text", Conversations: "conversations", Chats: "chats", Threads: "threads"}

// String returns the name of the mode.
func (m Mode) String() string { return names[m] }

// MarshalText returns the name of the mode, so that a mode can be a command-line option.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText parses the name of a mode.
func (m *Mode) UnmarshalText(name []byte) error {
	if n := slices.Index(names, string(name)); n >= 0 {
		*m = Mode(n) //nolint:gosec // there are few
		return nil
	}
	return fmt.Errorf("unknown mode %q: expected one of %s", name, strings.Join(names, ", "))
}
