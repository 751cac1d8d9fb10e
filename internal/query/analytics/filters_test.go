package analytics

import (
	"strings"
	"testing"
)

// TestFilters selects rows by conditions on every kind of dimension.
func TestFilters(t *testing.T) {
	ids := func(condition, want string) answerCase {
		return answerCase{
			condition,
			q("observations", "count_count", "id", `"filters":[`+condition+
				`],"orderBy":[{"field":"count_count","direction":"desc"}],"config":{"row_limit":10}`), want,
		}
	}
	rows := func(ids ...string) string {
		list := make([]string, len(ids))
		for n, id := range ids {
			list[n] = `{"id":"` + id + `","count_count":1}`
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	cond := func(kind, column, operator, value string) string {
		return `{"type":"` + kind + `","column":"` + column + `","operator":"` + operator + `","value":` + value + `}`
	}
	checkAnswers(t, V2, []answerCase{
		ids(cond("string", "name", "=", `"llm"`), rows("o2", "o3")),
		ids(cond("string", "name", "contains", `""`), rows("o1", "o2", "o3", "o4")),
		ids(cond("string", "name", "does not contain", `"l"`), rows("o1", "o4")),
		ids(cond("stringOptions", "name", "none of", `["llm"]`), rows("o1", "o4")),
		ids(cond("null", "name", "is null", `""`), rows("o4")),
		// Where unset means null, it is left out by conditions that exclude, and found by those that ask for it.
		ids(cond("string", "version", "=", `""`), rows("o2", "o3", "o4")),
		ids(cond("string", "version", "contains", `""`), rows("o2", "o3", "o4")),
		ids(cond("string", "version", "starts with", `""`), rows("o2", "o3", "o4")),
		ids(cond("string", "version", "ends with", `"1"`), rows("o1")),
		ids(cond("string", "version", "does not contain", `"x"`), rows("o1")),
		ids(cond("stringOptions", "version", "none of", `["x"]`), rows("o1")),
		ids(cond("stringOptions", "version", "any of", `["x",""]`), rows("o2", "o3", "o4")),
		ids(cond("null", "version", "is null", `""`), rows("o2", "o3", "o4")),
		ids(cond("stringOptions", "sessionId", "none of", `["x"]`), rows("o1", "o2")),
		ids(cond("stringOptions", "providedModelName", "none of", `["m1"]`), rows("o4")),
		ids(cond("string", "traceRelease", "=", `"r1"`), rows("o1")),
		// A null trace name meets nothing; an empty one is an ordinary text.
		ids(cond("string", "traceName", "does not contain", `"x"`), rows("o1", "o4")),
		ids(cond("null", "traceName", "is not null", `""`), rows("o1")),
		ids(cond("string", "promptVersion", "=", `"2"`), rows("o2")),
		ids(cond("stringOptions", "promptVersion", "none of", `["1"]`), rows("o2")),
		ids(cond("null", "promptVersion", "is null", `""`), rows("o1", "o3", "o4")),
		ids(cond("arrayOptions", "tags", "any of", `["b","x"]`), rows("o1")),
		ids(cond("arrayOptions", "tags", "none of", `["b"]`), rows("o2", "o3", "o4")),
		ids(cond("arrayOptions", "calledToolNames", "all of", `["search"]`), rows("o2")),
		ids(cond("boolean", "isRootObservation", "=", `true`), rows("o1", "o4")),
		ids(cond("boolean", "isRootObservation", "<>", `true`), rows("o2", "o3")),
		ids(cond("datetime", "start_time", ">", `"2026-03-04T12:30:00Z"`), rows("o3", "o4")),
		ids(cond("null", "start_time", "is not null", `""`), rows("o1", "o2", "o3", "o4")),
		ids(cond("string", "startTimeMonth", "=", `"2026-03"`), rows("o1", "o2", "o3", "o4")),
		ids(`{"type":"stringObject","column":"metadata","key":"tenant","operator":"=","value":"acme"}`, rows("o1")),
		ids(`{"type":"stringObject","column":"metadata","key":"n","operator":"contains","value":"7"}`, rows("o1")),
		// Unknown columns that end in Name stand for the name.
		ids(cond("string", "observationName", "=", `"llm"`), rows("o2", "o3")),
		// One matching kind of cost is enough, and the row counts once.
		ids(cond("stringOptions", "costType", "any of", `["input","output"]`), rows("o2")),
		ids(cond("string", "usageType", "=", `"audio"`), rows()),
		ids(cond("string", "name", "=", `"llm"`)+`,`+cond("string", "level", "=", `"ERROR"`), rows("o3")),
		// When grouped by kind, the condition selects among the kinds.
		{
			"kinds that meet a condition",
			q("observations", "sum_costByType", "", `"filters":[`+cond("stringOptions", "costType", "none of", `["total"]`)+`]`),
			`[{"costType":"output","sum_costByType":0.2},{"costType":"input","sum_costByType":0.1}]`,
		},
	})
}
