package storechoice

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"almanac/internal/store/clickhouse"
	"almanac/test/chtest"
)

// engine is the ClickHouse engine of this process.
var engine shared

// partsOfADatabase is how many tests share a database: creating tables takes longer than most tests, and so does
// reading them once hundreds of tests have written a row or two.
const partsOfADatabase = 64

type shared struct {
	mu        sync.Mutex
	directory string
	server    *chtest.Server
	databases []string
	stores    []*clickhouse.Store // of the databases
	parts     int
}

// part returns the next part of a store. The first call starts the engine.
func (s *shared) part() (*part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		if err := s.start(); err != nil {
			return nil, err
		}
	}
	if s.parts%partsOfADatabase == 0 {
		if err := s.addDatabase(); err != nil {
			return nil, err
		}
	}
	s.parts++
	return newPart(s.stores[len(s.stores)-1], fmt.Sprintf("test-%d-", s.parts)), nil
}

func (s *shared) start() (err error) {
	if s.server = chtest.Given(); s.server != nil {
		return nil
	}
	if s.directory, err = os.MkdirTemp("", "almanac-tests-"); err != nil {
		return err
	}
	// There are few rows to read, and more threads would only be slower.
	if s.server, err = chtest.Run(context.Background(), s.directory, append(chtest.SmallReads(), "--set", "max_threads=1")...); err != nil {
		return errors.Join(err, os.RemoveAll(s.directory))
	}
	return nil
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
	err = errors.Join(err, s.server.Stop())
	if s.directory != "" {
		err = errors.Join(err, os.RemoveAll(s.directory))
	}
	s.server, s.databases, s.stores, s.parts = nil, nil, nil, 0
	return err
}
