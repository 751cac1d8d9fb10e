package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

const defaultDatabase = "default"

// connection runs one query at a time. Several connections of a process run concurrently.
type connection struct {
	engine   *library
	handle   *uintptr          // owned by the library, which clears it when it closes the connection
	database string            // the current database
	settings map[string]string // settings that differ from the initial ones
}

func (c *connection) close() { c.engine.closeConnection(c.handle) }

// run runs a query and returns its whole result.
func (c *connection) run(query, format string, parameters []parameter) ([]byte, statistics, error) {
	result, err := c.ask(c.engine.query, query, format, parameters)
	if err != nil {
		return nil, statistics{}, err
	}
	data, _, s := c.engine.take(result)
	return data, s, nil
}

// stream runs a query and passes its result to sink in parts. An error of sink ends the query.
func (c *connection) stream(query, format string, parameters []parameter, sink func(part []byte) error) error {
	stream, err := c.ask(c.engine.streamQuery, query, format, parameters)
	if err != nil {
		return err
	}
	defer c.engine.destroyResult(stream)
	for {
		part := c.engine.streamFetch(*c.handle, stream)
		if part == 0 {
			return errors.New("the library returned no part of a result")
		}
		if message := c.engine.resultError(part); message != "" {
			c.engine.destroyResult(part)
			return failureOf(message)
		}
		data, rows, _ := c.engine.take(part)
		if len(data) > 0 {
			if err := sink(data); err != nil {
				c.engine.streamCancel(*c.handle, stream)
				return err
			}
		}
		if rows == 0 {
			return nil
		}
	}
}

// prepare prepares a connection for a query: its database and exactly its settings, none of earlier queries.
func (c *connection) prepare(database string, settings map[string]string) error {
	if database != c.database {
		if _, _, err := c.run("USE "+quoted(database, '`'), "Null", nil); err != nil {
			return err
		}
		c.database = database
	}
	var assignments []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if value, set := c.settings[name]; !set || value != settings[name] {
			assignments = append(assignments, name+" = "+quoted(settings[name], '\''))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.settings)) {
		if _, stays := settings[name]; !stays {
			assignments = append(assignments, name+" = DEFAULT")
		}
	}
	if len(assignments) == 0 {
		return nil
	}
	c.settings = settings
	_, _, err := c.run("SET "+strings.Join(assignments, ", "), "Null", nil)
	return err
}

// quoted quotes a string as ClickHouse reads it.
func quoted(text string, quote byte) string {
	q := string(quote)
	return q + strings.NewReplacer(`\`, `\\`, q, `\`+q).Replace(text) + q
}

// pool keeps connections for reuse. It always holds an unused one, since the engine stops with its last connection.
type pool struct {
	engine  *library
	options []string
	slots   chan struct{} // one per running query
	anchor  *connection

	mu   sync.Mutex
	idle []*connection
}

// newPool starts the engine. It runs at most the given number of queries concurrently; others wait.
func newPool(l *library, options []string, queries int) (*pool, error) {
	anchor, err := l.open(options)
	if err != nil {
		return nil, err
	}
	return &pool{engine: l, options: options, slots: make(chan struct{}, queries), anchor: anchor}, nil
}

// with lends a connection prepared for a query. It is closed afterwards if it cannot be reused: because its query
// failed or left traces.
func (p *pool) with(database string, settings map[string]string, use func(c *connection) (reusable bool, err error)) error {
	p.slots <- struct{}{}
	defer func() { <-p.slots }()
	c, err := p.take()
	if err != nil {
		return err
	}
	reusable := false
	if err = c.prepare(database, settings); err == nil {
		reusable, err = use(c)
	}
	if reusable && err == nil {
		p.mu.Lock()
		p.idle = append(p.idle, c)
		p.mu.Unlock()
		return nil
	}
	c.close()
	return err
}

func (p *pool) take() (*connection, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	c, err := p.engine.open(p.options)
	if err != nil {
		return nil, fmt.Errorf("one more connection: %w", err)
	}
	return c, nil
}

// close waits for running queries and stops the engine.
func (p *pool) close() {
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	for _, c := range p.idle {
		c.close()
	}
	p.anchor.close()
}
