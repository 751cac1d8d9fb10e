package clickhouse

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Foreign reads the tables of other programs in ClickHouse.
type Foreign struct{ client *client }

// OpenForeign returns a reader of the database at an address. It does not connect yet.
func OpenForeign(a Address) *Foreign { return &Foreign{newClient(a)} }

// Close closes idle connections.
func (f *Foreign) Close() { f.client.close() }

// longestRow is the maximum size of a row as JSON: the longest strings that anybody sends have 100 MB.
const longestRow = 512 << 20

// Rows runs a query and returns its rows as JSON objects, as they arrive. Each is valid until the next. Parameters are
// strings: {p0:String}, {p1:String} and so on.
func (f *Foreign) Rows(ctx context.Context, sql string, parameters ...string) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		s := &statement{sql: sql + " FORMAT JSONEachRow", plain: true, settings: map[string]string{
			"output_format_json_quote_64bit_integers": "0", "output_format_json_quote_decimals": "0",
			"output_format_json_quote_denormals": "0",
			"date_time_output_format":            "simple",
		}}
		for _, value := range parameters {
			s.args.add(escape(value, false), "String")
		}
		answer, err := f.client.open(ctx, s)
		if err != nil {
			yield(nil, err)
			return
		}
		defer answer.Close() //nolint:errcheck // only read
		lines := bufio.NewReaderSize(answer, 1<<20)
		var line []byte
		for {
			line, err = readLine(lines, line[:0])
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(nil, withoutURL(err))
				return
			case len(line) == 0:
				continue
			case line[0] != '{' || !json.Valid(line):
				yield(nil, lateException(io.MultiReader(bytes.NewReader(line), lines)))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// readLine appends a line without its terminator, which the last line need not have.
func readLine(r *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > longestRow {
			return nil, fmt.Errorf("a row is longer than %d MB", longestRow>>20)
		}
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
