package storechoice

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"almanac/internal/store/clickhouse"
	"almanac/test/chtest"
)

// engine is the ClickHouse engine of this process.
var engine = shared{
	// There are few rows to read, and more threads would only be slower.
	engine: chtest.Shared{Args: []string{"--set", "max_threads=1"}},
}

// partsOfADatabase is how many tests share a database: creating tables takes longer than most tests, and so does
// reading them once hundreds of tests have written a row or two.
const partsOfADatabase = 64

type shared struct {
	mu        sync.Mutex
	engine    chtest.Shared
	server    *chtest.Server // nil before the first part
	databases []string
	stores    []*clickhouse.Store // of the databases
	parts     int
}

// part returns the next part of a store. The first call starts the engine.
func (s *shared) part() (*part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := s.engine.Server()
	if err != nil {
		return nil, err
	}
	s.server = server
	if s.parts%partsOfADatabase == 0 {
		if err := s.addDatabase(); err != nil {
			return nil, err
		}
	}
	s.parts++
	return newPart(s.stores[len(s.stores)-1], fmt.Sprintf("test-%d-", s.parts)), nil
}

func (s *shared) addDatabase() error {
	database := "almanac_test_" + strings.ToLower(rand.Text()[:10])
	address, err := clickhouse.ParseAddress(s.server.StoreAddress(database))
	if err != nil {
		return err
	}
	// Tests write little and wait for it, so there is nothing to batch. The machine may be busy with other tests.
	opened, err := clickhouse.Open(context.Background(), address, clickhouse.Options{Pause: -1, Patience: time.Minute})
	if err != nil {
		return err
	}
	s.databases, s.stores = append(s.databases, database), append(s.stores, opened)
	return nil
}

func (s *shared) stop() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		return nil
	}
	for n, opened := range s.stores {
		_, dropErr := s.server.Query(context.Background(), "DROP DATABASE "+s.databases[n])
		err = errors.Join(err, opened.Close(), dropErr)
	}
	err = errors.Join(err, s.engine.Stop())
	s.server, s.databases, s.stores, s.parts = nil, nil, nil, 0
	return err
}
