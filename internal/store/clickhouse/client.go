package clickhouse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"almanac/internal/netguard"
)

// client is a client of ClickHouse's HTTP interface.
type client struct {
	address Address
	http    *netguard.Client
}

func newClient(a Address) *client {
	const connections = 64
	t := netguard.TrustedTransport()
	t.Proxy = nil
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true)
	t.DialContext = netguard.TrustedDialer(5 * time.Second).DialContext
	t.TLSHandshakeTimeout = 5 * time.Second
	t.MaxIdleConns, t.MaxIdleConnsPerHost = connections, connections
	t.IdleConnTimeout = 20 * time.Second // ClickHouse closes connections after 30 seconds by default
	t.ExpectContinueTimeout = time.Second
	t.DisableCompression = true
	return &client{address: a, http: netguard.ExactClient(t, 0)}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// statement is an SQL statement with its parameters.
type statement struct {
	sql  string
	args params
	// rows are the rows of an INSERT, in RowBinary; otherwise nil.
	rows []byte
	// settings are settings that cannot be part of the SQL.
	settings map[string]string
	// plain statements contain no client data, so that messages about them may be shown.
	plain bool
	// nowhere means that the database need not exist.
	nowhere bool
}

// maxURL is the maximum total size of parameters in a URL; longer ones are sent as a form.
const maxURL = 16 << 10

// open executes a statement and returns the response as it arrives. The caller must close it.
func (c *client) open(ctx context.Context, s *statement) (io.ReadCloser, error) {
	request, err := c.request(ctx, s)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, withoutURL(err)
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close() //nolint:errcheck // only read
		return nil, readException(response, s.plain)
	}
	return response.Body, nil
}

// withoutURL removes the URL from the error of a request, since it contains the parameters.
func withoutURL(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	return &unreachableError{err: err, unsent: notSent(err)}
}

// notSent reports whether a request never reached ClickHouse.
func notSent(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "dial"
}

// exec executes a statement and waits for it to finish.
func (c *client) exec(ctx context.Context, s *statement) error {
	answer, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer answer.Close() //nolint:errcheck // only read
	rest, err := io.ReadAll(io.LimitReader(answer, 4<<10))
	if err != nil {
		return withoutURL(err)
	}
	// Statements without rows return nothing, unless they fail after the response has begun.
	if len(rest) > 0 {
		return lateException(bytes.NewReader(rest))
	}
	return nil
}

func (c *client) request(ctx context.Context, s *statement) (*http.Request, error) {
	query := url.Values{}
	if !s.nowhere {
		query.Set("database", c.address.Database)
	}
	for name, value := range s.settings {
		query.Set(name, value)
	}
	if deadline, ok := ctx.Deadline(); ok && s.rows == nil {
		// ClickHouse then stops by itself, even if it does not notice that the client has gone.
		query.Set("max_execution_time", strconv.Itoa(1+int(time.Until(deadline).Seconds())))
	}
	body, contentType := []byte(s.sql), ""
	switch {
	case s.rows != nil:
		query.Set("query", s.sql)
		body = s.rows
	case s.args.bytes > maxURL:
		var err error
		if body, contentType, err = form(s); err != nil {
			return nil, err
		}
	default:
		for i, value := range s.args.values {
			query.Set("param_p"+strconv.Itoa(i), value)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address.URL+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making a request to ClickHouse: %w", withoutURL(err))
	}
	// All requests are idempotent, so that it is not a failure if ClickHouse has just closed a connection. The header
	// is not sent.
	request.Header["Idempotency-Key"] = []string{}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if c.address.User != "" {
		request.Header.Set("X-ClickHouse-User", c.address.User)
		request.Header.Set("X-ClickHouse-Key", c.address.password)
	}
	return request, nil
}

// form encodes a statement and its parameters as a form, which may be long.
func form(s *statement) (body []byte, contentType string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	err = w.WriteField("query", s.sql)
	for i, value := range s.args.values {
		if err == nil {
			err = w.WriteField("param_p"+strconv.Itoa(i), value)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, "", fmt.Errorf("writing the parameters of a statement: %w", err)
	}
	return b.Bytes(), w.FormDataContentType(), nil
}
