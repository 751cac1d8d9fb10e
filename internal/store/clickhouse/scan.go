package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// readSettings are appended to every query. The partition, a month, is a function of the place, so all versions of a
// row at a place are in the same partition, and FINAL need not merge across partitions.
const readSettings = " SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final = 1," +
	" use_skip_indexes_if_final_exact_mode = 1, distributed_product_mode = 'local', load_balancing = 'in_order'"

// cancellable returns the settings of a query that is cancelled when the client closes the connection.
func cancellable() map[string]string {
	return map[string]string{"readonly": "2", "cancel_http_readonly_queries_on_client_close": "1", "http_send_timeout": "600"}
}

// queryBuilder collects the conditions of a query.
type queryBuilder[R any] struct {
	*table[R]
	statement
	where    []string
	residual []filter.Condition[R] // conditions that only Go can check
}

func (t *table[R]) selection(project string) *queryBuilder[R] {
	q := &queryBuilder[R]{table: t}
	q.settings = cancellable()
	q.where = []string{"project_id = " + q.args.text(project)}
	return q
}

func (q *queryBuilder[R]) add(sql string) { q.where = append(q.where, sql) }

// between restricts the query to a time range, either bound of which may be 0.
func (q *queryBuilder[R]) between(from, to domain.Micros) {
	if from != 0 {
		q.add("place <= " + q.args.int(-from.Millis()))
		q.add(q.time + " >= " + q.args.int(int64(from)))
	}
	if to != 0 {
		q.add("place >= " + q.args.int(-(to - 1).Millis()))
		q.add(q.time + " < " + q.args.int(int64(to)))
	}
}

// after restricts the query to rows after a position.
func (q *queryBuilder[R]) after(p *store.Position) {
	if p == nil {
		return
	}
	place, id := q.args.int(-p.Millis), q.args.text(p.ID)
	behind := "id < " + id
	if q.hasTrace {
		trace := q.args.text(p.TraceID)
		behind = "(trace_id < " + trace + " OR trace_id = " + trace + " AND id < " + id + ")"
	}
	q.add("place >= " + place)
	q.add("(place > " + place + " OR " + behind + ")")
}

// arrived restricts the query to rows whose versions are in a window.
func (q *queryBuilder[R]) arrived(w *store.Window) {
	if w != nil {
		q.add("version > toUInt64(" + q.args.int(max(w.After, 0)) + ")")
		q.add("version <= toUInt64(" + q.args.int(max(w.UpTo, 0)) + ")")
	}
}

// meeting restricts the query to rows that match the conditions.
func (q *queryBuilder[R]) meeting(project string, conditions []filter.Condition[R]) {
	for i := range conditions {
		c := &conditions[i]
		sql, ok := q.compile(c, &q.args)
		if !ok {
			q.residual = append(q.residual, *c)
			continue
		}
		q.add(sql)
		if letter := q.indexed[c.Column().ID()]; letter != "" && !c.Column().Derived() {
			switch {
			case c.Operator() == filter.Equal && c.Text() != "":
				q.named(project, letter, q.args.texts([]string{c.Text()}))
			case c.Operator() == filter.AnyOf && !slices.Contains(c.Texts(), ""):
				q.named(project, letter, q.args.texts(c.Texts()))
			}
		}
	}
}

// named restricts the query to the places that the index has for names.
func (q *queryBuilder[R]) named(project, letter, names string) {
	q.add("place IN (" + placesOf(q.name, hashesOf(letter, q.args.text(project), names)) + ")")
}

// placesOf returns a query for the places that the index of a table has for hashes.
func placesOf(table, hashes string) string {
	return "SELECT place FROM " + table + "_index WHERE hash IN (" + hashes + ")"
}

// hashesOf returns a query for the hashes of names in the index. It is a subquery rather than an array because
// ClickHouse turns a subquery into a set that can use the primary key, whereas the array returned by a function is
// searched for every row of the index.
func hashesOf(letter, project, names string) string {
	return "SELECT sipHash64('" + letter + "', " + project + ", arrayJoin(" + names + "))"
}

// meetsResidual checks the conditions that ClickHouse could not.
func (q *queryBuilder[R]) meetsResidual(row *R) bool {
	for i := range q.residual {
		if !q.residual[i].Match(row) {
			return false
		}
	}
	return true
}

// reading returns the columns that a query has to read: those that are wanted, and those needed to check residual
// conditions.
func (q *queryBuilder[R]) reading(want store.Want) []*column[R] {
	needed := map[string]bool{}
	for i := range q.residual {
		for _, name := range q.sourcesOf(q.residual[i].Column()) {
			needed[name] = true
		}
	}
	var columns []*column[R]
	for i := range q.columns {
		c := &q.columns[i]
		if c.get != nil && (c.part == 0 || c.part&want != 0 || needed[c.name]) {
			columns = append(columns, c)
		}
	}
	return columns
}

// ask builds the statement from the columns to read, the conditions and a tail.
func (q *queryBuilder[R]) ask(columns []*column[R], tail string) {
	names := []string{"toUInt8(1)"}
	for _, c := range columns {
		names = append(names, c.name)
	}
	q.sql = "SELECT " + strings.Join(names, ", ") + " FROM " + q.name + " FINAL WHERE " + strings.Join(q.where, " AND ") + tail +
		readSettings + " FORMAT RowBinary"
}

// order returns the ORDER BY clause: newest first.
func (t *table[R]) order() string {
	if t.hasTrace {
		return " ORDER BY place, trace_id DESC, id DESC"
	}
	return " ORDER BY place, id DESC"
}

// Scan implements store.Table.
func (t *table[R]) Scan(ctx context.Context, scope domain.ProjectScope, query store.Query[R]) iter.Seq2[*R, error] {
	project := scope.ProjectID()
	if query.Limit < 0 {
		return failed[R](fmt.Errorf("scanning for %d rows: %w", query.Limit, store.ErrInvalid))
	}
	return func(yield func(*R, error) bool) {
		q := t.selection(project)
		q.between(query.From, query.To)
		q.after(query.After)
		q.arrived(query.Arrived)
		q.meeting(project, query.Where)
		tail := t.order()
		if query.Limit > 0 && len(q.residual) == 0 {
			tail += " LIMIT " + strconv.Itoa(query.Limit)
			// With small blocks, reading ends soon after the last row of a page.
			q.settings["max_block_size"] = strconv.Itoa(min(max(query.Limit, 512), 8192))
		}
		columns := q.reading(query.Want)
		q.ask(columns, tail)
		err := t.stream(ctx, q, columns, query.Limit, func(row *R) bool { return yield(row, nil) })
		if err != nil {
			yield(nil, fmt.Errorf("scanning %s: %w", t.name, err))
		}
	}
}

// Lookup implements store.Table.
func (t *table[R]) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*R, error] {
	project := scope.ProjectID()
	var names []string
	var column string
	given := 0
	for id, list := range map[string][]string{"traceId": l.TraceIDs, "id": l.IDs, "sessionId": l.SessionIDs} {
		if len(list) > 0 {
			given++
			names, column = list, id
		}
	}
	if given != 1 {
		return failed[R](fmt.Errorf("looking up %s by not exactly one list: %w", t.name, store.ErrInvalid))
	}
	return func(yield func(*R, error) bool) {
		q := t.selection(project)
		q.naming(project, column, names)
		columns := q.reading(l.Want)
		q.ask(columns, t.order())
		err := t.stream(ctx, q, columns, 0, func(row *R) bool { return yield(row, nil) })
		if err != nil {
			yield(nil, fmt.Errorf("looking up %s: %w", t.name, err))
		}
	}
}

// naming restricts the query to rows that a list names by an indexed column. An empty name matches nothing.
func (q *queryBuilder[R]) naming(project, column string, names []string) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	list := q.args.texts(names)
	q.add(q.expressionOf(column).value + " IN (" + list + ")")
	q.named(project, q.indexed[column], list)
}

// stream runs the query and yields the rows that match all conditions, up to a limit if it is not 0.
func (t *table[R]) stream(ctx context.Context, q *queryBuilder[R], columns []*column[R], limit int, yield func(*R) bool) error {
	if err := t.store.closed(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, stop := t.store.withLifetime(ctx)
	defer stop()
	answer, err := t.store.client.open(ctx, &q.statement)
	if err != nil {
		return classify(err)
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	var row R
	for n := 0; d.next(); {
		row = *new(R)
		for _, c := range columns {
			c.get(d, &row)
		}
		if d.err != nil {
			break
		}
		if !q.meetsResidual(&row) {
			continue
		}
		if !yield(&row) {
			return nil
		}
		if n++; n == limit {
			return nil
		}
		// Do not go on yielding buffered rows after the caller has gone.
		if err := context.Cause(ctx); err != nil {
			return err
		}
	}
	return asReadError(ctx, d.err)
}

// asReadError wraps a failure to read a response with its error kind.
func asReadError(ctx context.Context, err error) error {
	_, exception := errors.AsType[*exceptionError](err)
	switch {
	case err == nil:
		return nil
	case isMemory(err):
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case exception, errors.Is(err, errDamaged), errors.Is(err, errTooMany):
		return classify(err)
	}
	return classify(&unreachableError{err: err})
}

// isMemory reports whether an error means that there was no memory for a response.
func isMemory(err error) bool {
	return errors.Is(err, memory.ErrBusy) || errors.Is(err, memory.ErrTooLarge) || errors.Is(err, memory.ErrReleased)
}

// failed returns an iterator that yields only an error.
func failed[R any](err error) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) { yield(nil, err) }
}
