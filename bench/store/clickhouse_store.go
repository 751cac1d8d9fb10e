package main

import (
	"context"
	"errors"
	"strconv"
	"strings"

	onclickhouse "almanac/internal/store/clickhouse"
	"almanac/test/chtest"
)

// clickhouseStore measures the product's ClickHouse store through its interface: the same engine as clickhouse, with
// the tables and statements of the product, which show the last version of each row.
type clickhouseStore struct {
	*embedded

	engine *clickhouse
}

const clickhouseStoreDatabase = "almanac"

// openClickHouseStore starts the engine on a directory and opens the store in it.
func openClickHouseStore(ctx context.Context, dir string) (*clickhouseStore, error) {
	server, err := chtest.Run(ctx, dir, "--cache", strconv.Itoa(clickhouseCache))
	if err != nil {
		return nil, err
	}
	address, err := onclickhouse.ParseAddress(server.StoreAddress(clickhouseStoreDatabase))
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
	return &clickhouseStore{e, &clickhouse{server: server}}, nil
}

// flush waits until ClickHouse has finished its merges.
func (c *clickhouseStore) flush(ctx context.Context) error { return c.engine.flush(ctx) }

func (c *clickhouseStore) close() error {
	err := c.embedded.close()
	c.engine.client.CloseIdleConnections()
	return errors.Join(err, c.engine.server.Stop())
}

func (c *clickhouseStore) count(ctx context.Context) (int64, error) {
	return c.engine.number(ctx, "SELECT count() FROM "+clickhouseStoreDatabase+".observations FINAL", nil)
}

func (c *clickhouseStore) disk(ctx context.Context) (int64, error) {
	return c.engine.number(ctx, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND startsWith(table, 'observations')", nil)
}

// process returns that of the engine: the work of the store in this program is not counted.
func (c *clickhouseStore) process() process { return c.engine.process() }

// clickhouseStoreNotes explain the figures of the store on ClickHouse.
var clickhouseStoreNotes = strings.Join([]string{
	"The clickhouse store is the product's on the same engine, over HTTP; its CPU and memory are those of the engine's process, and what",
	"the program does to encode and decode rows is not counted. Queries read with FINAL; words have bloom filters there.",
}, "\n")
