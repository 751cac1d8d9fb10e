package main

import (
	"encoding/json"
	"math/rand/v2"
	"time"
)

func observations(pairs ...string) string { return address("/api/public/v2/observations", pairs) }

// rowQuestions are the queries of people who look for rows.
func rowQuestions(known *known) []question {
	from, to := known.from.UTC().Format(time.RFC3339), known.to.UTC().Format(time.RFC3339)
	four := func(r *rand.Rand, latency string) string {
		filter, _ := json.Marshal([]map[string]any{ //nolint:errchkjson // texts and numbers
			{"type": "stringOptions", "column": "type", "operator": "any of", "value": []string{"GENERATION"}},
			{"type": "string", "column": "model", "operator": "=", "value": one(r, known.models)},
			{"type": "number", "column": "latency", "operator": ">", "value": json.Number(latency)},
			{"type": "arrayOptions", "column": "tags", "operator": "any of", "value": []string{one(r, known.tags)}},
		})
		return observations("limit", "50", "fromStartTime", from, "toStartTime", to, "filter", string(filter))
	}
	where := func(condition map[string]any) string {
		filter, _ := json.Marshal([]map[string]any{condition}) //nolint:errchkjson // texts
		return observations("filter", string(filter))
	}
	return []question{
		{name: "first page, 50 rows", path: always(observations("limit", "50"))},
		{name: "1,000 rows with io and metadata", path: always(observations("limit", "1000", "fields", "core,basic,io,metadata"))},
		{name: "one trace, no time range", path: func(r *rand.Rand) string { return observations("traceId", known.trace(r)) }},
		{name: "one trace with io and metadata", path: func(r *rand.Rand) string {
			return observations("traceId", known.trace(r), "fields", "core,basic,io,metadata")
		}},
		{name: "type + model + latency + tag, 7 days", path: func(r *rand.Rand) string { return four(r, "1.5") }},
		{name: "the same, nothing matches", path: func(r *rand.Rand) string { return four(r, "100000") }},
		{name: "rare metadata value", path: always(where(known.rare.condition()))},
		{name: "rare word in input", path: always(where(map[string]any{
			"type": "string", "column": "input", "operator": "matches", "value": known.word,
		}))},
		walk("a walk, 50 rows", 200, func(cursor ...string) string {
			return observations(append([]string{"limit", "50", "toStartTime", to}, cursor...)...)
		}),
	}
}
