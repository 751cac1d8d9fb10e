package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	onclickhouse "almanac/internal/store/clickhouse"
	"almanac/test/chtest"
)

// clickhouseStore measures the product's store on ClickHouse through its interface.
type clickhouseStore struct {
	*embedded

	server *chtest.Server
}

const (
	clickhouseDatabase = "almanac"
	// clickhouseCache is the size of ClickHouse's cache of decompressed blocks, in bytes.
	clickhouseCache = 256 << 20
)

// openClickHouseStore starts the engine on a directory and opens the store in it.
func openClickHouseStore(ctx context.Context, dir string) (*clickhouseStore, error) {
	server, err := chtest.Run(ctx, dir, "--cache", strconv.Itoa(clickhouseCache))
	if err != nil {
		return nil, err
	}
	address, err := onclickhouse.ParseAddress(server.StoreAddress(clickhouseDatabase))
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	s, err := onclickhouse.Open(ctx, address, onclickhouse.Options{})
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	e, err := newEmbedded(s, dir)
	if err != nil {
		return nil, errors.Join(err, s.Close(), server.Stop())
	}
	return &clickhouseStore{e, server}, nil
}

// number runs a query that returns one integer.
func (c *clickhouseStore) number(ctx context.Context, query string) (int64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.server.URL, strings.NewReader(query))
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return 0, errors.Join(err, fmt.Errorf("%s: %s", answer.Status, text))
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// flush waits until ClickHouse has finished its merges. It is not told to merge more: that would make reads cheaper and
// ingest more expensive than they are.
func (c *clickhouseStore) flush(ctx context.Context) error {
	const interval, quiet = 50 * time.Millisecond, 10
	for calm := 0; calm < quiet; calm++ {
		merging, err := c.number(ctx, "SELECT count() FROM system.merges")
		if err != nil {
			return err
		}
		if merging > 0 {
			calm = 0
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(interval):
		}
	}
	return nil
}

func (c *clickhouseStore) close() error {
	http.DefaultClient.CloseIdleConnections()
	return errors.Join(c.embedded.close(), c.server.Stop())
}

func (c *clickhouseStore) count(ctx context.Context) (int64, error) {
	return c.number(ctx, "SELECT count() FROM "+clickhouseDatabase+".observations FINAL")
}

func (c *clickhouseStore) disk(ctx context.Context) (int64, error) {
	return c.number(ctx, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND startsWith(table, 'observations')")
}

// process returns that of the engine: the work of the store in this program is not counted.
func (c *clickhouseStore) process() process { return process(c.server.Pid()) }

// clickhouseNotes explain the figures of the store on ClickHouse.
const clickhouseNotes = `The store on ClickHouse asks it over HTTP on this machine; its CPU and memory are those of ClickHouse's process, and what
the program does to encode and decode rows is not counted. Queries read with FINAL; words have bloom filters there.`
