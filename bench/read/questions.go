package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/process"
)

// question is one kind of request. Its path may differ from run to run.
type question struct {
	name string
	path func(r *rand.Rand) string
	// row is what each row of an answer has once; "traceId" if it is empty.
	row string
	// prepare, if set, is done once before.
	prepare func(ctx context.Context, client *http.Client, s *process.Server) error
}

func observations(pairs ...string) string {
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return "/api/public/v2/observations?" + values.Encode()
}

func questions(known *facts) []question {
	from, to := known.from.Time().Format(time.RFC3339), known.to.Time().Format(time.RFC3339)
	always := func(path string) func(*rand.Rand) string { return func(*rand.Rand) string { return path } }
	four := func(r *rand.Rand, latency string) string {
		filter, _ := json.Marshal([]map[string]any{ //nolint:errchkjson // texts and numbers
			{"type": "stringOptions", "column": "type", "operator": "any of", "value": []string{"GENERATION"}},
			{"type": "string", "column": "model", "operator": "=", "value": known.models[r.IntN(len(known.models)-1)]},
			{"type": "number", "column": "latency", "operator": ">", "value": json.Number(latency)},
			{"type": "arrayOptions", "column": "tags", "operator": "any of", "value": []string{known.tags[r.IntN(len(known.tags))]}},
		})
		return observations("limit", "50", "fromStartTime", from, "toStartTime", to, "filter", string(filter))
	}
	var deep string
	return []question{
		{name: "first page, 50 rows", path: always(observations("limit", "50"))},
		{name: "1,000 rows with io and metadata", path: always(observations("limit", "1000", "fields", "core,basic,io,metadata"))},
		{name: "one trace, no time range", path: func(r *rand.Rand) string {
			return observations("traceId", known.traces[r.IntN(len(known.traces))])
		}},
		{name: "one trace with io and metadata", path: func(r *rand.Rand) string {
			return observations("traceId", known.traces[r.IntN(len(known.traces))], "fields", "core,basic,io,metadata")
		}},
		{name: "type + model + latency + tag, 7 days", path: func(r *rand.Rand) string { return four(r, "1.5") }},
		{name: "the same, nothing matches", path: func(r *rand.Rand) string { return four(r, "100000") }},
		{name: "rare metadata value", path: always(observations("filter", fmt.Sprintf(
			`[{"type":"stringObject","column":"metadata","key":%q,"operator":"=","value":%q}]`, corpus.RareKey, corpus.RareValue)))},
		{name: "rare word in input", path: always(observations("filter", fmt.Sprintf(
			`[{"type":"string","column":"input","operator":"matches","value":%q}]`, corpus.RareWord)))},
		{
			name: "page 200 of a walk, 50 rows", path: func(*rand.Rand) string { return deep },
			prepare: func(ctx context.Context, client *http.Client, s *process.Server) error {
				deep = observations("limit", "50", "toStartTime", to)
				for range 199 {
					body, err := get(ctx, client, s, deep)
					if err != nil {
						return err
					}
					var answer struct{ Meta struct{ Cursor string } }
					if err := json.Unmarshal(body, &answer); err != nil || answer.Meta.Cursor == "" {
						return fmt.Errorf("a page of a walk has no cursor: %w", err)
					}
					deep = observations("limit", "50", "toStartTime", to, "cursor", answer.Meta.Cursor)
				}
				return nil
			},
		},
	}
}

// ask asks a question again and again and writes a line about it.
func ask(ctx context.Context, w *strings.Builder, s *process.Server, q question, o options) error {
	client := &http.Client{}
	defer client.CloseIdleConnections()
	if q.prepare != nil {
		if err := q.prepare(ctx, client, s); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var times []time.Duration
	var body []byte
	const warmUps = 5
	var before process.Usage
	memory := s.WatchMemory()
	began := time.Now()
	for n := range warmUps + o.runs {
		if n == warmUps {
			before = s.Usage()
		}
		path := q.path(r)
		sent := time.Now()
		var err error
		if body, err = get(ctx, client, s, path); err != nil {
			memory()
			return fmt.Errorf("%s: %w", q.name, err)
		}
		if n >= warmUps {
			times = append(times, time.Since(sent))
		}
		if time.Since(began) > o.limit && len(times) > 0 {
			break
		}
	}
	used, peak := s.Usage().Minus(before).CPU, memory()
	slices.Sort(times)
	at := func(p float64) float64 { return float64(times[int(p*float64(len(times)-1))].Microseconds()) / 1000 }
	cpu := strconv.FormatFloat(float64(used.Microseconds())/1000/float64(len(times)), 'f', 2, 64)
	rows := bytes.Count(body, []byte(`"`+cmp.Or(q.row, "traceId")+`":`))
	fmt.Fprintf(w, "%-58s %8.2f %8.2f %8s %8.0f  %d, %d\n", q.name, at(0.5), at(0.99), cpu, float64(peak)/(1<<20), rows, len(body))
	return nil
}

func get(ctx context.Context, client *http.Client, s *process.Server, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	r.SetBasicAuth(s.PublicKey, s.SecretKey)
	r.Header.Set("Accept-Encoding", "identity")
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %d %.300s", path, answer.StatusCode, body)
	}
	return body, err
}
