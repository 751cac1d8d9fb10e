package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"almanac/bench/corpus"
	"almanac/bench/internal/fill"
	"almanac/bench/internal/process"
)

// overHTTP sends the queries to a server, one after the other over one connection.
func (m *measurement) overHTTP(ctx context.Context, facts, directory, binary string, rows int) (err error) {
	server, err := process.StartKeyed(ctx, directory, binary) // creates the catalog
	if err == nil {
		err = server.Stop()
	}
	if err != nil {
		return err
	}
	s, err := fill.Open(ctx, server.Events(), process.KeyedProject, corpus.Options{Rows: rows, Days: 7})
	if err != nil {
		return err
	}
	count := s.Stats().Observations.Rows
	if err := s.Close(); err != nil {
		return err
	}
	if server, err = process.StartKeyed(ctx, directory, binary); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := process.Settle(ctx, server.PID); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(m.out, "%s%d rows, over HTTP\n", facts, count)
	return m.run(ctx, requests(server), server.PID.CPU)
}

// someDays are three of the days that have rows.
const someDays = "fromTimestamp=2026-06-03T05:00:00Z&toTimestamp=2026-06-06T05:00:00Z"

// requests are the requests that the pages send to a server, and those for the deprecated lists of the public API.
func requests(server *process.Server) []question {
	const failed = `"filter":[{"type":"stringOptions","column":"level","operator":"any of","value":["ERROR"]}]`
	const whole = `"conditionsOn":"traces"`
	onTraces := func(conditions string) string { return whole + `,"filter":[` + conditions + `]` }
	const (
		errs   = `{"type":"stringOptions","column":"level","operator":"any of","value":["ERROR"]}`
		noErrs = `{"type":"stringOptions","column":"level","operator":"none of","value":["ERROR"]}`
		dear   = `{"type":"number","column":"totalCost","operator":">","value":0.01}`
		tools  = `{"type":"stringOptions","column":"type","operator":"any of","value":["TOOL"]}`
		user   = `{"type":"stringOptions","column":"userId","operator":"any of","value":["user-00042"]}`
		either = `{"type":"any","conditions":[` + errs + `,` + dear + `]}`
		lastly = `"from":"2026-06-06T00:00:00Z","to":"2026-06-06T06:00:00Z",`
	)
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
		{"public sessions", "sessions?limit=50", ""},
		{"public sessions of an environment", "sessions?limit=50&environment=production", ""},
		{"public sessions in a range of time", "sessions?limit=50&" + someDays, ""},
		{"public traces", "traces?limit=50&fields=core", ""},
		{"public traces with everything", "traces?limit=50", ""},
		{"public traces in a range of time", "traces?limit=50&fields=core&" + someDays, ""},
		{"public traces, oldest first", "traces?limit=50&fields=core&orderBy=timestamp.asc", ""},
		{"public traces of an environment", "traces?limit=50&fields=core&environment=production", ""},
		{"public traces by name", "traces?limit=50&fields=core&name=support-agent", ""},
		{"public traces of a user", "traces?limit=50&fields=core&userId=user-00042", ""},
		{"public traces with a tag", "traces?limit=50&fields=core&tags=beta", ""},
		{"public traces with errors", "traces?limit=50&fields=core&filter=" + url.QueryEscape(
			`[{"type":"stringOptions","column":"level","operator":"any of","value":["ERROR"]}]`), ""},
		{"public traces over a cost", "traces?limit=50&fields=core&filter=" + url.QueryEscape(
			`[{"type":"number","column":"totalCost","operator":">","value":0.01}]`), ""},
		{"traces by latency", "query/traces", `{"order":{"column":"latency"}}`},
		{"traces with errors by cost", "query/traces", `{"order":{"column":"totalCost"},` + failed + `}`},
		{"sessions with errors", "query/sessions", `{` + failed + `}`},
		{"count of traces", "query/count", `{"of":"traces"}`},
		{"facets of ten columns", "query/facets", `{` + columns + `}`},
		{"facets of ten columns, errors", "query/facets", `{` + columns + `,` + failed + `}`},
		{"histogram", "query/histogram", `{}`},
		{"histogram of errors", "query/histogram", `{` + failed + `}`},
		{"groups by model", "query/groups", `{"by":"model"}`},
		{"differences of errors", "query/differences", `{"selection":{` + failed + `},"baseline":{}}`},
		{"observations over a cost", "query/observations", `{"filter":[` + dear + `]}`},
		{"observations, errors or over a cost", "query/observations", `{"filter":[` + either + `]}`},
		{"traces that have an observation over a cost", "query/traces", `{"filter":[` + dear + `]}`},
		{"traces that have an observation over a cost by cost", "query/traces", `{"filter":[` + dear + `],"order":{"column":"totalCost"}}`},
		{"whole traces over a cost", "query/traces", `{` + onTraces(dear) + `}`},
		{"whole traces over a cost by cost", "query/traces", `{` + onTraces(dear) + `,"order":{"column":"totalCost"}}`},
		{"whole traces over a cost in six hours", "query/traces", `{` + lastly + onTraces(dear) + `}`},
		{"whole traces with errors", "query/traces", `{` + onTraces(errs) + `}`},
		{"whole traces without errors", "query/traces", `{` + onTraces(noErrs) + `}`},
		{"whole traces with tools, errors or over a cost", "query/traces", `{` + onTraces(tools+`,`+either) + `}`},
		{"whole traces of a user", "query/traces", `{` + onTraces(user) + `}`},
		{"count of traces that have an observation over a cost", "query/count", `{"of":"traces","filter":[` + dear + `]}`},
		{"count of whole traces over a cost", "query/count", `{"of":"traces",` + onTraces(dear) + `}`},
		{"facets of ten columns, whole traces", "query/facets", `{` + columns + `,` + whole + `}`},
		{"facets of ten columns, whole traces over a cost", "query/facets", `{` + columns + `,` + onTraces(dear) + `}`},
		{"histogram, whole traces over a cost", "query/histogram", `{` + onTraces(dear) + `}`},
		{"suggest users by prefix", "suggest?column=userId&prefix=user-00", ""},
		{"suggest keys of metadata", "suggest?column=metadata", ""},
	} {
		all = append(all, question{q.name, func(ctx context.Context) (err error) {
			if path := "/api/public/" + q.path; q.body == "" {
				_, err = server.Get(ctx, path)
			} else {
				_, err = server.Post(ctx, path, q.body)
			}
			return err
		}})
	}
	return all
}
