package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"almanac/bench/corpus"
	"almanac/bench/internal/fill"
	"almanac/bench/internal/process"
)

// The key of the project.
const (
	publicKey = "pk-lf-bench"
	secretKey = "sk-lf-bench-0123456789abcdef" //nolint:gosec // of a server that is started for the measurement
)

// overHTTP asks a server over HTTP, one question after the other on one connection.
func (m *measurement) overHTTP(ctx context.Context, facts, directory, binary string, rows int) (err error) {
	arguments := []string{"--init-org-id", "bench", "--init-project-id", project, "--init-project-public-key", publicKey, "--init-project-secret-key", secretKey}
	data := filepath.Join(directory, "data")
	if _, err := os.Stat(data); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(data, 0o700); err != nil {
			return err
		}
		server, err := process.Start(ctx, directory, binary, arguments...) // makes the project
		if err == nil {
			err = server.Stop()
		}
		if err != nil {
			return err
		}
	}
	s, err := fill.Open(ctx, filepath.Join(data, "events"), project, corpus.Options{Rows: rows, Days: 7})
	if err != nil {
		return err
	}
	count := s.Stats().Observations.Rows
	if err := s.Close(); err != nil {
		return err
	}
	server, err := process.Start(ctx, directory, binary, arguments...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := process.Settle(ctx, server.PID); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(m.out, "%s%d rows, over HTTP\n", facts, count)
	return m.run(ctx, requests(server.URL), server.PID.CPU)
}

// requests are what the pages ask a server.
func requests(base string) []question {
	const failed = `"filter":[{"type":"stringOptions","column":"level","operator":"any of","value":["ERROR"]}]`
	names, err := json.Marshal(facets)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	columns := `"columns":` + string(names)
	var all []question
	for _, q := range []struct{ name, path, body string }{
		{"traces with their totals", "query/traces", `{}`},
		{"traces with errors", "query/traces", `{` + failed + `}`},
		{"traces by cost", "query/traces", `{"order":{"column":"totalCost"}}`},
		{"observations", "query/observations", `{}`},
		{"observations by cost", "query/observations", `{"order":{"column":"totalCost"}}`},
		{"observations, a rare word", "query/observations", `{"search":"` + corpus.RareWord + `"}`},
		{"observations, frequent words that never stand together", "query/observations", `{"search":"` + corpus.Apart + `"}`},
		{"traces, frequent words that never stand together", "query/traces", `{"search":"` + corpus.Apart + `"}`},
		{"sessions", "query/sessions", `{}`},
		{"sessions by cost", "query/sessions", `{"order":{"column":"totalCost"}}`},
		{"users", "query/users", `{}`},
		{"users by cost", "query/users", `{"order":{"column":"totalCost"}}`},
		{"count of traces", "query/count", `{"of":"traces"}`},
		{"facets of ten columns", "query/facets", `{` + columns + `}`},
		{"facets of ten columns, errors", "query/facets", `{` + columns + `,` + failed + `}`},
		{"histogram", "query/histogram", `{}`},
		{"histogram of errors", "query/histogram", `{` + failed + `}`},
		{"groups by model", "query/groups", `{"by":"model"}`},
		{"differences of errors", "query/differences", `{"selection":{` + failed + `},"baseline":{}}`},
		{"suggest users by prefix", "suggest?column=userId&prefix=user-00", ""},
		{"suggest keys of metadata", "suggest?column=metadata", ""},
	} {
		all = append(all, question{q.name, func(ctx context.Context) error { return ask(ctx, base+"/api/public/"+q.path, q.body) }})
	}
	return all
}

// ask makes a request and reads the answer to its end.
func ask(ctx context.Context, address, body string) error {
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.SetBasicAuth(publicKey, secretKey)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", address, answer.Status, text)
	}
	return err
}
