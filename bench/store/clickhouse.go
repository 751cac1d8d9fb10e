package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"almanac/internal/domain"
	"almanac/test/chtest"
)

// clickhouse is ClickHouse's engine in its own process, queried over HTTP on this machine. It gives the same guarantee
// as the store: appended rows are on disk. It is set up in its own favour:
//
//   - rows are ordered on disk as in pages, so that a page is read from its end;
//   - all columns are compressed with zstd, and repeating values have dictionaries;
//   - its cache of decompressed data is ten times that of the store, and queries are told to use it;
//   - the CPU time of its process is counted, that of this program to encode rows for it is not;
//   - merged parts do not count as disk space, although ClickHouse keeps them for minutes.
type clickhouse struct {
	server  *chtest.Server
	client  http.Client
	options clickhouseOptions
	writer  *batchWriter
}

// clickhouseCache is the size of ClickHouse's cache of decompressed blocks, in bytes.
const clickhouseCache = 256 << 20

// clickhouseOptions are ways to use ClickHouse.
type clickhouseOptions struct {
	final bool // read only the newest version of a row, as the store does, even from unmerged parts
	text  bool // index the words of input
}

// String describes how figures were measured.
func (o clickhouseOptions) String() string {
	text := "ClickHouse's engine runs in a process of its own. Its CPU and memory are those of that process: encoding and decoding rows\n" +
		"for it are not counted. Rows are on disk when they are acknowledged; batches of all producers are combined.\n" +
		"Both keep what they read last, the store 24 MB of it and ClickHouse 256 MB; q1, q2, q5, q6, q8 and q9 ask for the same each time."
	if o.final {
		text += "\nQueries read with FINAL."
	} else {
		text += "\nQueries read without FINAL, so a row that was sent again would be found twice for a while."
	}
	if o.text {
		text += " The words of input are indexed."
	}
	return text
}

// openClickHouse starts the engine on a directory.
func openClickHouse(ctx context.Context, dir string, o clickhouseOptions) (_ *clickhouse, err error) {
	server, err := chtest.Run(ctx, dir, "--cache", strconv.Itoa(clickhouseCache))
	if err != nil {
		return nil, err
	}
	c := &clickhouse{server: server, options: o}
	if _, err := c.ask(ctx, clickhouseSchema(o), nil); err != nil {
		_ = server.Stop()
		return nil, fmt.Errorf("create the table: %w", err)
	}
	c.writer = startBatchWriter(c.insert)
	return c, nil
}

// clickhouseSchema returns the table definition. Rows with the same key replace each other; the last one written wins.
func clickhouseSchema(o clickhouseOptions) string {
	definitions := []string{
		"project_id LowCardinality(String)", "start_ms Int64 CODEC(Delta(8), ZSTD(1))", "written Int64 CODEC(Delta(8), ZSTD(1))",
	}
	for _, c := range columns {
		definitions = append(definitions, c.name+" "+clickhouseType(c))
	}
	definitions = append(definitions, "INDEX by_trace trace_id TYPE bloom_filter(0.01) GRANULARITY 1",
		"INDEX by_metadata mapValues(metadata) TYPE bloom_filter(0.01) GRANULARITY 1")
	if o.text {
		definitions = append(definitions, "INDEX by_word input TYPE text(tokenizer = 'splitByNonAlpha')")
	}
	return "CREATE TABLE IF NOT EXISTS observations (\n\t" + strings.Join(definitions, ",\n\t") + "\n) ENGINE = ReplacingMergeTree(written)\n" +
		"PARTITION BY toYYYYMM(fromUnixTimestamp64Milli(start_ms, 'UTC'))\nORDER BY (project_id, start_ms, trace_id, id)\n" +
		"SETTINGS default_compression_codec = 'ZSTD(1)'"
}

// ask runs a statement with parameters and returns the response.
func (c *clickhouse) ask(ctx context.Context, statement string, parameters url.Values) ([]byte, error) {
	return c.send(ctx, parameters, strings.NewReader(statement))
}

// ping sends an empty request.
func (c *clickhouse) ping(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.server.URL+"/ping", http.NoBody)
	if err != nil {
		return err
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return errors.Join(err, answer.Body.Close())
}

func (c *clickhouse) send(ctx context.Context, fields url.Values, body io.Reader) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.server.URL+"/?"+fields.Encode(), body) //nolint:gosec // a server of ours
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Encoding", "identity") // compression gains nothing on one machine
	answer, err := c.client.Do(r)               //nolint:gosec // a server of ours
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	text := new(bytes.Buffer)
	if _, err := text.ReadFrom(answer.Body); err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", answer.Status, text)
	}
	return text.Bytes(), nil
}

// number runs a query that returns one integer.
func (c *clickhouse) number(ctx context.Context, query string, parameters url.Values) (int64, error) {
	text, err := c.ask(ctx, query, parameters)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

func (c *clickhouse) append(ctx context.Context, project string, rows []domain.Observation) error {
	var b []byte
	for i := range rows {
		b = appendClickHouseRow(b, project, &rows[i])
	}
	return c.writer.write(ctx, b)
}

// insert writes encoded rows. ClickHouse responds when they are on disk.
func (c *clickhouse) insert(ctx context.Context, rows []byte) error {
	_, err := c.send(ctx, url.Values{"query": {"INSERT INTO observations FORMAT RowBinary"}}, bytes.NewReader(rows))
	return err
}

// flush waits until ClickHouse has finished its merges. It is not told to merge more: that would make reads cheaper and
// ingest more expensive than they are.
func (c *clickhouse) flush(ctx context.Context) error {
	const interval, quiet = 50 * time.Millisecond, 10
	for calm := 0; calm < quiet; calm++ {
		merging, err := c.number(ctx, "SELECT count() FROM system.merges", nil)
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

func (c *clickhouse) close() error {
	c.writer.stop()
	c.client.CloseIdleConnections()
	return c.server.Stop()
}

func (c *clickhouse) count(ctx context.Context) (int64, error) {
	return c.number(ctx, "SELECT count() FROM "+c.table(), nil)
}

func (c *clickhouse) disk(ctx context.Context) (int64, error) {
	return c.number(ctx, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'observations'", nil)
}

func (c *clickhouse) process() process { return process(c.server.Pid()) }

// batchWriter combines concurrent appends, as every client of ClickHouse has to: each insert creates files.
type batchWriter struct {
	pending chan pendingBatch
	done    sync.WaitGroup
}

type pendingBatch struct {
	rows []byte
	err  chan error
}

// startBatchWriter starts a writer that calls the given function, one call at a time.
func startBatchWriter(write func(ctx context.Context, rows []byte) error) *batchWriter {
	w := &batchWriter{pending: make(chan pendingBatch, 64)}
	w.done.Go(func() {
		for first := range w.pending {
			waiting := []pendingBatch{first}
			rows := first.rows
			for more := true; more; {
				select {
				case next, ok := <-w.pending:
					if more = ok; ok {
						waiting, rows = append(waiting, next), append(rows, next.rows...)
					}
				default:
					more = false
				}
			}
			err := write(context.Background(), rows)
			for _, b := range waiting {
				b.err <- err
			}
		}
	})
	return w
}

// write returns when the rows are written.
func (w *batchWriter) write(ctx context.Context, rows []byte) error {
	b := pendingBatch{rows, make(chan error, 1)}
	w.pending <- b
	select {
	case err := <-b.err:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *batchWriter) stop() {
	close(w.pending)
	w.done.Wait()
}
