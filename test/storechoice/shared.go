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

// engine is the ClickHouse of this process. Making tables takes longer than most tests, so all tests share one database, and
// each has projects of its own in it.
var engine shared

type shared struct {
	mu        sync.Mutex
	directory string
	server    *chtest.Server
	database  string
	store     *clickhouse.Store
	parts     int
}

// part returns the next part of the store, which is opened for the first of them.
func (s *shared) part() (*part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil {
		if err := s.start(context.Background()); err != nil {
			return nil, err
		}
	}
	s.parts++
	return newPart(s.store, fmt.Sprintf("test-%d-", s.parts)), nil
}

func (s *shared) start(ctx context.Context) error {
	if s.server = chtest.Given(); s.server == nil {
		var err error
		if s.directory, err = os.MkdirTemp("", "almanac-tests-"); err != nil {
			return err
		}
		// There are few rows to read, which more threads only make slower.
		if s.server, err = chtest.Run(ctx, s.directory, "--threads", "1"); err != nil {
			return errors.Join(err, os.RemoveAll(s.directory))
		}
	}
	s.database = "almanac_test_" + strings.ToLower(rand.Text()[:10])
	address, err := clickhouse.ParseAddress(s.server.StoreAddress(s.database))
	if err != nil {
		return err
	}
	// Tests write little and wait for it: there is nothing to collect. The machine may be busy with other tests.
	s.store, err = clickhouse.Open(ctx, address, clickhouse.Options{Pause: -1, Patience: time.Minute})
	return err
}

func (s *shared) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil {
		return nil
	}
	err := s.store.Close()
	s.store = nil
	_, dropErr := s.server.Query(context.Background(), "DROP DATABASE "+s.database)
	err = errors.Join(err, dropErr, s.server.Stop())
	if s.directory != "" {
		err = errors.Join(err, os.RemoveAll(s.directory))
	}
	return err
}
