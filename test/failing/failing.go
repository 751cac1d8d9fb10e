// Package failing makes what a server depends on fail: the catalog's database, the event store, the place of blobs. A test walks over
// every call that a request or a job makes, lets one after the other fail, and looks at what becomes of it.
package failing

import (
	"errors"
	"fmt"
	"sync"
)

// ErrInjected is what calls fail with.
var ErrInjected = errors.New("injected failure")

// Switch decides which calls fail. The zero value lets all of them through. It is safe for concurrent use.
type Switch struct {
	mu     sync.Mutex
	armed  bool
	seen   map[string]int  // how often each call was made since the switch was armed
	done   map[string]bool // the calls that have failed already
	failed string
}

// Arm makes the next call fail that has not failed before. Calls of the same kind are told apart by how many came before them.
func (s *Switch) Arm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed, s.failed, s.seen = true, "", map[string]int{}
	if s.done == nil {
		s.done = map[string]bool{}
	}
}

// Disarm lets all calls through. It returns the call that failed since Arm, or nothing if there was none left to fail.
func (s *Switch) Disarm() (failed string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed = false
	return s.failed
}

// Reset forgets which calls have failed.
func (s *Switch) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed, s.failed, s.done = false, "", nil
}

// Call fails if it is the call's turn to fail. Whatever can fail calls it before it does anything.
func (s *Switch) Call(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.armed {
		return nil
	}
	s.seen[name]++
	call := fmt.Sprintf("%s #%d", name, s.seen[name])
	if s.failed != "" || s.done[call] {
		return nil
	}
	s.done[call], s.failed = true, call
	return fmt.Errorf("%w: %s", ErrInjected, call)
}
