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
)

// client speaks ClickHouse's HTTP interface.
type client struct {
	address Address
	http    *http.Client
}

func newClient(a Address) *client {
	const connections = 64
	return &client{address: a, http: &http.Client{Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 5 * time.Second,
		MaxIdleConns:        connections,
		MaxIdleConnsPerHost: connections,
		// ClickHouse closes connections after 30 seconds by default.
		IdleConnTimeout:       20 * time.Second,
		ExpectContinueTimeout: time.Second,
		DisableCompression:    true,
	}}}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// statement is one that ClickHouse executes.
type statement struct {
	sql  string
	args bound
	// rows are those of an INSERT, in RowBinary; else nil.
	rows []byte
	// settings are those that cannot be part of the text.
	settings map[string]string
	// plain statements hold nothing of clients, so that messages about them may be shown.
	plain bool
	// nowhere means that the database need not exist.
	nowhere bool
}

// maxURL is how long the parameters in a URL are together; what is longer is sent as a form.
const maxURL = 16 << 10

// open executes a statement and returns the answer as it comes. The caller closes it.
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

// withoutURL drops the address from an error of a request: it holds the parameters.
func withoutURL(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	return &unreachableError{err: err, unsent: notSent(err)}
}

// notSent reports whether a request never got to ClickHouse.
func notSent(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "dial"
}

// exec executes a statement and waits for its end.
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
	// Statements without rows answer nothing, unless they fail after they began to answer.
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
		// ClickHouse stops by itself, also if it does not notice that nobody listens any more.
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
	// All that is sent may be sent twice, so a connection that ClickHouse just closed is no failure. The header is not sent.
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

// form writes a statement and its parameters as a form, which may be long.
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
