package localstore

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"time"

	"almanac/internal/buildinfo"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/store"
)

// patience is how long a client waits for a server that is being restarted.
const patience = 2 * time.Minute

// Client writes to the store of a running server. While the server is being restarted, it waits.
type Client struct {
	http    http.Client //nolint:forbidigo // it always dials the socket
	waiting func(error)
}

// NewClient returns a client of the server that runs on a data directory. It calls waiting when it begins to wait.
func NewClient(dataDir string, waiting func(error)) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socketIn(dataDir)) //nolint:forbidigo // a file of the operator
	}
	return &Client{http.Client{Transport: &http.Transport{DialContext: dial}}, waiting} //nolint:forbidigo // likewise
}

// Close closes the connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// Ping returns an error if the server cannot be reached or has another version.
func (c *Client) Ping(ctx context.Context) error {
	_, err := c.call(ctx, "/ping", "", 0)
	return err
}

// Announce notifies the server of a change that was made to its catalog.
func (c *Client) Announce(ctx context.Context, change tables.Change) error {
	_, err := c.call(ctx, "/changes", "", change)
	return err
}

// Observations returns the table of observations.
func (c *Client) Observations() *Table[domain.Observation] {
	return &Table[domain.Observation]{c, observations, (*domain.Observation).TextBytes}
}

// Scores returns the table of scores.
func (c *Client) Scores() *Table[domain.Score] {
	return &Table[domain.Score]{c, scores, (*domain.Score).TextBytes}
}

// Table is a table of the server's store. Its methods are those of store.Table that imports need, with the same
// contract, except that some rows of a failed Append may be kept.
type Table[R any] struct {
	client *Client
	name   string
	size   func(*R) int
}

// Append stores the rows, a few megabytes at a time.
func (t *Table[R]) Append(ctx context.Context, scope domain.ProjectScope, rows []R) error {
	for len(rows) > 0 {
		n, size := 1, t.size(&rows[0])
		for n < len(rows) && size+t.size(&rows[n]) <= rowsAtOnce {
			size += t.size(&rows[n])
			n++
		}
		if _, err := t.client.call(ctx, "/"+t.name+"/append", scope.ProjectID(), rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// Delete removes rows.
func (t *Table[R]) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (deleted int, err error) {
	return t.client.call(ctx, "/"+t.name+"/delete", scope.ProjectID(), s)
}

// Lookup returns rows by id.
func (t *Table[R]) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		response, err := t.client.post(ctx, "/"+t.name+"/lookup", scope.ProjectID(), l)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = response.Body.Close() }()
		decoder := gob.NewDecoder(response.Body)
		for {
			var next found[R]
			if err := decoder.Decode(&next); err != nil {
				yield(nil, fmt.Errorf("%w: the server stopped while it was answering: %w", store.ErrUnavailable, err))
				return
			}
			if next.Error != nil {
				yield(nil, next.Error.err())
				return
			}
			if next.Row == nil || !yield(next.Row, nil) {
				return
			}
		}
	}
}

// call makes a request and returns the number of rows that it changed.
func (c *Client) call(ctx context.Context, path, projectID string, request any) (changed int, err error) {
	response, err := c.post(ctx, path, projectID, request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	if err := gob.NewDecoder(response.Body).Decode(&changed); err != nil {
		return 0, fmt.Errorf("%w: the server stopped while it was answering: %w", store.ErrUnavailable, err)
	}
	return changed, nil
}

// post sends a request, again if the server is being restarted: every operation may be repeated. It returns the response
// if it is no failure.
func (c *Client) post(ctx context.Context, path, projectID string, request any) (*http.Response, error) {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(request); err != nil {
		return nil, fmt.Errorf("cannot encode a request: %w", err)
	}
	const between = 200 * time.Millisecond
	for began, said := time.Now(), false; ; said = true {
		response, err := c.try(ctx, path, projectID, body.Bytes())
		if err == nil || !errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrClosed) || time.Since(began) > patience {
			return response, err
		}
		if !said {
			c.waiting(err)
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(err, ctx.Err())
		case <-time.After(between):
		}
	}
}

func (c *Client) try(ctx context.Context, path, projectID string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://almanac"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set(versionHeader, buildinfo.Version())
	r.Header.Set(projectHeader, projectID)
	response, err := c.http.Do(r)
	switch {
	case ctx.Err() != nil:
		if err == nil {
			_ = response.Body.Close()
		}
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	case response.StatusCode == http.StatusOK:
		return response, nil
	}
	defer func() { _ = response.Body.Close() }()
	var f failure
	if response.StatusCode != statusFailed {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return nil, fmt.Errorf("the server answered %s: %s", response.Status, bytes.TrimSpace(text))
	}
	if err := gob.NewDecoder(response.Body).Decode(&f); err != nil {
		return nil, fmt.Errorf("%w: the server stopped while it was answering: %w", store.ErrUnavailable, err)
	}
	return nil, f.err()
}
