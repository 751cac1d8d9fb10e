package promptstats

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/query/analytics"
)

// maxScoreRows is how many combinations of version, name, source, type and value are read.
const maxScoreRows = 1000

// scoreRow is a row of a metrics query of scores.
type scoreRow struct {
	Name     string      `json:"name"`
	Source   string      `json:"source"`
	DataType string      `json:"dataType"`
	Version  json.Number `json:"observationPromptVersion"`
	Text     *string     `json:"stringValue"`
	Bool     *bool       `json:"booleanValue"`
	Count    json.Number `json:"count_count"`
	Mean     *float64    `json:"avg_value"`
}

// scores adds the scores, given within the time range, of the observations of the versions.
func (s *Stats) scores(ctx context.Context, q Query, result *Result) error {
	if len(result.Versions) == 0 {
		return nil
	}
	for _, view := range []struct{ name, dimension, metric string }{
		{"scores-numeric", "", "value"}, {"scores-categorical", "stringValue", ""}, {"scores-boolean", "booleanValue", ""},
	} {
		rows, err := s.scoreRows(ctx, q, view.name, view.dimension, view.metric != "")
		if err != nil {
			return err
		}
		if len(rows) == maxScoreRows {
			result.Partial = true
		}
		for _, r := range rows {
			number, err := strconv.ParseFloat(r.Version.String(), 64)
			if err != nil {
				continue
			}
			if view.name == "scores-numeric" && r.DataType != "NUMERIC" {
				continue // booleans, which the view includes
			}
			if v := result.version(int(number)); v != nil {
				v.addScores(r)
			}
		}
	}
	for n := range result.Versions {
		slices.SortFunc(result.Versions[n].Scores, func(a, b Score) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Source, b.Source), strings.Compare(a.DataType, b.DataType))
		})
	}
	return nil
}

func (v *Version) addScores(r scoreRow) {
	at := slices.IndexFunc(v.Scores, func(s Score) bool { return s.Name == r.Name && s.Source == r.Source && s.DataType == r.DataType })
	if at < 0 {
		at = len(v.Scores)
		v.Scores = append(v.Scores, Score{Name: r.Name, Source: r.Source, DataType: r.DataType, Values: map[string]int{}})
	}
	score := &v.Scores[at]
	count, err := strconv.ParseFloat(r.Count.String(), 64)
	if err != nil {
		return
	}
	score.Count += int(count)
	switch {
	case r.Text != nil:
		score.Values[*r.Text] += int(count)
	case r.Bool != nil:
		score.Values[strconv.FormatBool(*r.Bool)] += int(count)
	default:
		score.Mean = r.Mean
	}
}

func (s *Stats) scoreRows(ctx context.Context, q Query, view, dimension string, mean bool) ([]scoreRow, error) {
	const form = "2006-01-02T15:04:05.000Z07:00"
	field := func(name string) map[string]string { return map[string]string{"field": name} }
	dimensions := []any{field("name"), field("source"), field("dataType"), field("observationPromptVersion")}
	if dimension != "" {
		dimensions = append(dimensions, field(dimension))
	}
	metrics := []any{map[string]string{"measure": "count", "aggregation": "count"}}
	if mean {
		metrics = append(metrics, map[string]string{"measure": "value", "aggregation": "avg"})
	}
	text, err := json.Marshal(map[string]any{
		"view": view, "dimensions": dimensions, "metrics": metrics,
		"filters":       []any{map[string]any{"column": "observationPromptName", "operator": "=", "value": q.Name, "type": "string"}},
		"fromTimestamp": q.From.Time().UTC().Format(form), "toTimestamp": q.To.Time().UTC().Format(form),
		"config": map[string]int{"row_limit": maxScoreRows},
	})
	if err != nil {
		return nil, err
	}
	query, err := analytics.ReadQuery(string(text), analytics.V2)
	if err != nil {
		return nil, fmt.Errorf("cannot ask for the scores of a prompt: %w", err)
	}
	result, err := (&analytics.Engine{Store: s.Store, History: s.History}).Answer(ctx, s.Scope, query)
	if err != nil {
		return nil, err
	}
	var rows []scoreRow
	err = json.Unmarshal(result.AppendJSON(nil, func(b []byte) []byte { return b }), &rows)
	return rows, err
}
