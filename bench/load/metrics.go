package main

import (
	"encoding/json"
	"maps"
	"net/url"
	"strings"
	"time"
)

// metricsQuestions are the queries of dashboards: over a week, and over its last day.
func metricsQuestions(known *known) []question {
	ask := func(name, metrics, dimensions string, from time.Time, more map[string]any) question {
		path := metricsPath(metrics, dimensions, from, known.to, more)
		return question{name: name, row: strings.Fields(metrics)[0], path: always(path)}
	}
	by := func(granularity string) map[string]any {
		return map[string]any{"timeDimension": map[string]string{"granularity": granularity}, "config": map[string]int{"row_limit": 1000}}
	}
	where := func(conditions ...map[string]any) map[string]any { return map[string]any{"filters": conditions} }
	top := func(metric string) map[string]any {
		return map[string]any{
			"orderBy": []map[string]string{{"field": metric, "direction": "desc"}}, "config": map[string]int{"row_limit": 10},
		}
	}
	const modelByHour = "sum_totalCost count_count p95_latency"
	all, last := known.from, known.to.Add(-24*time.Hour)
	return []question{
		ask("cost, count, p95 latency by model by hour", modelByHour, "providedModelName", all, by("hour")),
		ask("cost, count, p95 latency by model by hour, last day", modelByHour, "providedModelName", last, by("hour")),
		ask("distinct users by day", "uniq_uniqueUserIds", "", all, by("day")),
		ask("distinct users by day, last day", "uniq_uniqueUserIds", "", last, by("day")),
		ask("metadata of a few rows, count by name", "count_count", "name", all, where(known.few.condition())),
		ask("metadata of many rows, count by name", "count_count", "name", all, where(known.many.condition())),
		ask("tokens of the top 10 users", "sum_totalTokens", "userId", all, top("sum_totalTokens")),
		ask("errors by release by day", "count_count", "release", all, merged(by("day"), where(map[string]any{
			"type": "string", "column": "level", "operator": "=", "value": "ERROR",
		}))),
		ask("p50, p95, p99 latency by name", "p50_latency p95_latency p99_latency", "name", all, nil),
		ask("latency, a histogram of 20 bins", "histogram_latency", "", all, map[string]any{"config": map[string]int{"bins": 20}}),
		ask("cost by kind, last day, row by row", "sum_costByType", "costType", last, nil),
	}
}

func merged(parts ...map[string]any) map[string]any {
	whole := make(map[string]any)
	for _, part := range parts {
		maps.Copy(whole, part)
	}
	return whole
}

// metricsPath returns the path of a metrics query about observations.
func metricsPath(metrics, dimensions string, from, to time.Time, more map[string]any) string {
	question := merged(more, map[string]any{
		"view": "observations", "fromTimestamp": from.UTC().Format(time.RFC3339),
		"toTimestamp": to.UTC().Add(time.Second).Format(time.RFC3339),
	})
	list := []map[string]string{}
	for metric := range strings.FieldsSeq(metrics) {
		aggregation, measure, _ := strings.Cut(metric, "_")
		list = append(list, map[string]string{"measure": measure, "aggregation": aggregation})
	}
	fields := []map[string]string{}
	for field := range strings.FieldsSeq(dimensions) {
		fields = append(fields, map[string]string{"field": field})
	}
	question["metrics"], question["dimensions"] = list, fields
	text, _ := json.Marshal(question) //nolint:errchkjson // texts and numbers
	return "/api/public/v2/metrics?query=" + url.QueryEscape(string(text))
}
