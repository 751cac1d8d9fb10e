package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/process"
)

func observations(pairs ...string) string {
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return "/api/public/v2/observations?" + values.Encode()
}

func questions(known *facts) []process.Question {
	from, to := known.from.Time().Format(time.RFC3339), known.to.Time().Format(time.RFC3339)
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
	return []process.Question{
		{Name: "first page, 50 rows", Path: process.Always(observations("limit", "50"))},
		{Name: "1,000 rows with io and metadata", Path: process.Always(observations("limit", "1000", "fields", "core,basic,io,metadata"))},
		{Name: "one trace, no time range", Path: func(r *rand.Rand) string {
			return observations("traceId", known.traces[r.IntN(len(known.traces))])
		}},
		{Name: "one trace with io and metadata", Path: func(r *rand.Rand) string {
			return observations("traceId", known.traces[r.IntN(len(known.traces))], "fields", "core,basic,io,metadata")
		}},
		{Name: "type + model + latency + tag, 7 days", Path: func(r *rand.Rand) string { return four(r, "1.5") }},
		{Name: "the same, nothing matches", Path: func(r *rand.Rand) string { return four(r, "100000") }},
		{Name: "rare metadata value", Path: process.Always(observations("filter", fmt.Sprintf(
			`[{"type":"stringObject","column":"metadata","key":%q,"operator":"=","value":%q}]`, corpus.RareKey, corpus.RareValue)))},
		{Name: "rare word in input", Path: process.Always(observations("filter", fmt.Sprintf(
			`[{"type":"string","column":"input","operator":"matches","value":%q}]`, corpus.RareWord)))},
		{
			Name: "page 200 of a walk, 50 rows", Path: func(*rand.Rand) string { return deep },
			Prepare: func(ctx context.Context, client *http.Client, s *process.Server) error {
				deep = observations("limit", "50", "toStartTime", to)
				for range 199 {
					body, err := s.Get(ctx, client, deep)
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
