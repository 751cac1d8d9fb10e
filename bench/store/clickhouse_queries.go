package main

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// table returns the table that queries read from.
func (c *clickhouse) table() string {
	if c.options.final {
		return "observations FINAL"
	}
	return "observations"
}

// hints returns settings that help ClickHouse: decompressed data is cached, and all versions of a row are in one
// partition, since its key includes the time.
func (c *clickhouse) hints() string {
	const cached = " SETTINGS use_uncompressed_cache = 1"
	if c.options.final {
		return cached + ", do_not_merge_across_partitions_select_final = 1"
	}
	return cached
}

// scan reads the rows of one project that meet a condition.
func (c *clickhouse) scan(ctx context.Context, project string, want store.Want, rest string, parameters url.Values) (answer, error) {
	columns := wanted(want)
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.name
	}
	body, err := c.answer(ctx, project, "SELECT "+strings.Join(names, ", "), rest, parameters)
	if err != nil {
		return answer{}, err
	}
	var a answer
	var row domain.Observation
	targets := make([]any, len(columns))
	for i, column := range columns {
		targets[i] = column.field(&row)
	}
	r := rowReader{rest: body}
	for r.more() {
		for i, target := range targets {
			r.field(names[i], target)
		}
		a.add(&row, want)
	}
	return a, r.err
}

// answer runs a query on one project.
func (c *clickhouse) answer(ctx context.Context, project, what, rest string, parameters url.Values) ([]byte, error) {
	if parameters == nil {
		parameters = make(url.Values)
	}
	parameters.Set("param_project", project)
	return c.ask(ctx, what+" FROM "+c.table()+" WHERE project_id = {project:String}"+rest+c.hints()+" FORMAT RowBinary", parameters)
}

func (c *clickhouse) newest(ctx context.Context, project string, limit int, want store.Want) (answer, error) {
	return c.scan(ctx, project, want, newestFirst+" LIMIT "+strconv.Itoa(limit), nil)
}

func (c *clickhouse) trace(ctx context.Context, project, id string, want store.Want) (answer, error) {
	return c.scan(ctx, project, want, " AND trace_id = {trace:String}"+newestFirst, url.Values{"param_trace": {id}})
}

func (c *clickhouse) matching(ctx context.Context, project string, m match) (answer, error) {
	number := func(n int64) []string { return []string{strconv.FormatInt(n, 10)} }
	parameters := url.Values{
		"param_from": number(int64(m.from)), "param_to": number(int64(m.to)), "param_from_ms": number(m.from.Millis()), "param_to_ms": number(m.to.Millis()),
		"param_latency": number(m.aboveMillis),
		"param_types":   {texts(m.types)}, "param_models": {texts(m.models)}, "param_tags": {texts(m.tags)},
	}
	const where = " AND start_ms BETWEEN {from_ms:Int64} AND {to_ms:Int64} AND start_time >= {from:Int64} AND start_time < {to:Int64}" +
		" AND end_time <> 0 AND intDiv(end_time, 1000) - start_ms > {latency:Int64}" +
		" AND type IN {types:Array(String)} AND model IN {models:Array(String)} AND hasAny(tags, {tags:Array(String)})"
	return c.scan(ctx, project, 0, where+newestFirst+" LIMIT "+strconv.Itoa(m.limit), parameters)
}

// texts formats a list for ClickHouse. The values must need no escaping.
func texts(values []string) string { return "['" + strings.Join(values, "','") + "']" }

func (c *clickhouse) withMetadata(ctx context.Context, project, key, value string, limit int) (answer, error) {
	quoted, err := json.Marshal(value)
	if err != nil {
		return answer{}, err
	}
	const where = " AND has(mapValues(metadata), {value:String}) AND metadata[{key:String}] = {value:String}"
	return c.scan(ctx, project, 0, where+newestFirst+" LIMIT "+strconv.Itoa(limit), url.Values{"param_key": {key}, "param_value": {string(quoted)}})
}

func (c *clickhouse) withWord(ctx context.Context, project, word string, limit int) (answer, error) {
	return c.scan(ctx, project, 0, " AND hasToken(input, {word:String})"+newestFirst+" LIMIT "+strconv.Itoa(limit), url.Values{"param_word": {word}})
}

func (c *clickhouse) after(ctx context.Context, project string, p store.Position, limit int) (answer, error) {
	const where = " AND start_ms <= {ms:Int64} AND (start_ms, trace_id, id) < ({ms:Int64}, {trace:String}, {id:String})"
	parameters := url.Values{"param_ms": {strconv.FormatInt(p.Millis, 10)}, "param_trace": {p.TraceID}, "param_id": {p.ID}}
	return c.scan(ctx, project, 0, where+newestFirst+" LIMIT "+strconv.Itoa(limit), parameters)
}

func (c *clickhouse) costByModelAndHour(ctx context.Context, project string) (answer, error) {
	// The quantile is exact and interpolated between neighbours, as the store's is.
	return c.groups(ctx, project, "SELECT ifNull(sum(total_cost), 0), toFloat64(count()), "+
		"ifNotFinite(quantileExactInclusiveIf(0.95)((intDiv(end_time, 1000) - start_ms) / 1000, end_time <> 0), 0)",
		" GROUP BY model, intDiv(start_ms, 3600000)", 3)
}

func (c *clickhouse) usersByDay(ctx context.Context, project string) (answer, error) {
	return c.groups(ctx, project, "SELECT toFloat64(uniqExactIf(user_id, user_id <> ''))", " GROUP BY intDiv(start_ms, 86400000)", 1)
}

// groups reads groups with the given number of values.
func (c *clickhouse) groups(ctx context.Context, project, what, rest string, values int) (answer, error) {
	body, err := c.answer(ctx, project, what, rest, nil)
	if err != nil {
		return answer{}, err
	}
	var a answer
	r := rowReader{rest: body}
	for r.more() {
		a.rows++
		for range values {
			var value float64
			r.field("", &value)
			a.sum += value
		}
	}
	return a, r.err
}

// deleteTraces counts the rows first, since ClickHouse does not report how many it deletes.
func (c *clickhouse) deleteTraces(ctx context.Context, project string, ids []string) (int, error) {
	const where = " WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}"
	parameters := url.Values{"param_project": {project}, "param_ids": {texts(ids)}}
	n, err := c.number(ctx, "SELECT count() FROM "+c.table()+where, parameters)
	if err != nil {
		return 0, err
	}
	_, err = c.ask(ctx, "DELETE FROM observations"+where, parameters)
	return int(n), err
}
