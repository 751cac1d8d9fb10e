package chtest

import (
	"context"
	"errors"
	"os"
	"sync"
)

// Shared is a server for all tests of a process that neither stop nor kill it, since starting one takes most of a
// second. It is safe for concurrent use.
type Shared struct {
	Args []string // of the server, besides SmallReads

	mu        sync.Mutex
	server    *Server
	directory string
}

// Server returns the server. The first call starts it, unless ALMANAC_TEST_CLICKHOUSE names one.
func (s *Shared) Server() (_ *Server, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		s.server = Given()
	}
	if s.server != nil {
		return s.server, nil
	}
	if s.directory, err = os.MkdirTemp("", "almanac-clickhouse-"); err != nil {
		return nil, err
	}
	if s.server, err = Run(context.Background(), s.directory, append(SmallReads(), s.Args...)...); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.directory))
	}
	return s.server, nil
}

// Stop stops the server, if it was started, and removes its files. Call it at the end of the process.
func (s *Shared) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.directory == "" {
		return nil
	}
	err := errors.Join(s.server.Stop(), os.RemoveAll(s.directory))
	s.server, s.directory = nil, ""
	return err
}
