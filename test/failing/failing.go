// Package failing makes the dependencies of a server fail: the catalog's database, the event store, the blob store. A
// test makes each call of a request or a job fail in turn and checks the outcome.
package failing

import (
	"errors"
	"fmt"
	"sync"
)

// ErrInjected is the error of failing calls.
var ErrInjected = errors.New("injected failure")

// Switch decides which calls fail. The zero value makes none fail. It is safe for concurrent use.
type Switch struct {
	mu     sync.Mutex
	armed  bool
	seen   map[string]int  // how often each call was made since Arm
	done   map[string]bool // calls that have failed already
	failed string
}

// Arm makes the next call fail that has not failed before. Calls of the same kind are told apart by their number since
// Arm.
func (s *Switch) Arm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed, s.failed, s.seen = true, "", map[string]int{}
	if s.done == nil {
		s.done = map[string]bool{}
	}
}

// Disarm ends the failures. It returns the call that failed since Arm, or an empty string if there was none left.
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

// Call returns an error if it is the turn of this call to fail. Everything that can fail calls it first.
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
