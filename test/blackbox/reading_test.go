package blackbox

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
	"almanac/test/harness"
)

// These tests run the examples in docs/reading.md and compare its tables with the program, so that the page stays true.

const observationsPath = "/api/public/v2/observations"

// guide is a page of documentation: its fenced blocks with their sections, and the rows of its tables with their
// sections and subsections.
type guide struct {
	text   string
	blocks []guideBlock
	rows   []guideRow
}

type guideBlock struct{ section, caption, language, text string }

type guideRow struct {
	section string
	cells   []string
}

// readGuide parses a page. The caption of a block is the bold text that begins the last line before it.
func readGuide(t *testing.T, path string) *guide {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	caption := regexp.MustCompile(`^\*\*(.+?)\*\*`)
	p := &guide{text: string(text)}
	var section, part, before string
	var open *guideBlock
	for line := range strings.Lines(p.text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case open != nil && line == "```":
			p.blocks = append(p.blocks, *open)
			open, before = nil, ""
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, "```"):
			open = &guideBlock{section: section, language: line[3:]}
			if found := caption.FindStringSubmatch(before); found != nil {
				open.caption = found[1]
			}
		case strings.HasPrefix(line, "## "):
			section, part = line[3:], ""
		case strings.HasPrefix(line, "### "):
			part = ": " + line[4:]
		case strings.HasPrefix(line, "| ") && !strings.HasPrefix(before, "|"): // the head of a table
		case strings.HasPrefix(line, "| "):
			p.rows = append(p.rows, guideRow{section + part, cellsOf(line)})
		}
		if open == nil && line != "" && line != "```" {
			before = line
		}
	}
	if open != nil {
		t.Fatalf("%s: a block does not end", path)
	}
	return p
}

// cellsOf returns the cells of a table row. An escaped bar is text.
func cellsOf(line string) []string {
	const bar = "\x00"
	cells := strings.Split(strings.ReplaceAll(line, `\|`, bar), "|")
	cells = cells[1 : len(cells)-1]
	for n, cell := range cells {
		cells[n] = strings.ReplaceAll(strings.TrimSpace(cell), bar, "|")
	}
	return cells
}

func readingGuide(t *testing.T) *guide {
	t.Helper()
	return readGuide(t, "../../docs/reading.md")
}

// table returns the rows of the tables in a section.
func (p *guide) table(t *testing.T, section string, cells int) [][]string {
	t.Helper()
	var rows [][]string
	for _, row := range p.rows {
		if row.section != section {
			continue
		}
		if len(row.cells) != cells {
			t.Errorf("a row of %q has %d cells, not %d: %q", section, len(row.cells), cells, row.cells)
			continue
		}
		rows = append(rows, row.cells)
	}
	if len(rows) == 0 {
		t.Fatalf("the page has no table in %q", section)
	}
	return rows
}

// block returns the only block of a section with the given caption.
func (p *guide) block(t *testing.T, section, caption string) guideBlock {
	t.Helper()
	for _, b := range p.blocks {
		if b.section == section && b.caption == caption {
			return b
		}
	}
	t.Fatalf("the page has no block %q in %q", caption, section)
	return guideBlock{}
}

var inBackticks = regexp.MustCompile("`([^`]+)`")

// inCode returns the strings in backticks.
func inCode(text string) []string {
	var found []string
	for _, match := range inBackticks.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

// otlpJSON returns an export of spans as OTLP/JSON, as the official SDKs send them.
func otlpJSON(t *testing.T, spans []sentSpan) string {
	t.Helper()
	scope := map[string]any{"name": "langfuse-sdk", "version": "5.0.4"}
	list := make([]map[string]any, len(spans))
	for n, s := range spans {
		span := map[string]any{
			"traceId": s.trace, "spanId": s.id, "parentSpanId": s.parent, "name": s.name,
			"startTimeUnixNano": strconv.FormatInt(s.start.UnixNano(), 10),
			"endTimeUnixNano":   strconv.FormatInt(s.start.Add(s.lasts).UnixNano(), 10),
			"attributes":        otlpAttributes(s.attributes),
		}
		list[n] = map[string]any{
			"resource":   map[string]any{"attributes": otlpAttributes(s.resource)},
			"scopeSpans": []any{map[string]any{"scope": scope, "spans": []any{span}}},
		}
	}
	body, err := json.Marshal(map[string]any{"resourceSpans": list})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func otlpAttributes(attributes map[string]any) []any {
	list := make([]any, 0, len(attributes))
	for _, key := range slices.Sorted(maps.Keys(attributes)) {
		list = append(list, map[string]any{"key": key, "value": otlpValue(attributes[key])})
	}
	return list
}

func otlpValue(value any) map[string]any {
	switch v := value.(type) {
	case string:
		return map[string]any{"stringValue": v}
	case int:
		return map[string]any{"intValue": strconv.Itoa(v)}
	case float64:
		return map[string]any{"doubleValue": v}
	case bool:
		return map[string]any{"boolValue": v}
	case []string:
		texts := make([]any, len(v))
		for n, text := range v {
			texts[n] = otlpValue(text)
		}
		return map[string]any{"arrayValue": map[string]any{"values": texts}}
	}
	panic(fmt.Sprintf("no attribute can be a %T", value))
}

// sentSpan is a span to send.
type sentSpan struct {
	name, trace, id, parent string
	start                   time.Time
	lasts                   time.Duration
	attributes, resource    map[string]any
}

func sendSpans(t *testing.T, s *harness.Server, spans []sentSpan) {
	t.Helper()
	status, body, _, err := post(t.Context(), s, "application/json", "", strings.NewReader(otlpJSON(t, spans)))
	if err != nil || status != http.StatusOK || strings.Contains(body, "rejectedSpans") {
		t.Fatalf("sending spans: %d %s, %v", status, body, err)
	}
}

// rowNames parses a response and returns the sorted names of its rows.
func rowNames(t *testing.T, answer string) []string {
	t.Helper()
	var list struct {
		Data []struct {
			Name *string `json:"name"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(answer), &list); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	names := make([]string, len(list.Data))
	for n, row := range list.Data {
		if row.Name == nil {
			t.Fatalf("a row has no name: %s", answer)
		}
		names[n] = *row.Name
	}
	slices.Sort(names)
	return names
}

func getObservations(t *testing.T, s *harness.Server, pairs ...string) (int, string) {
	t.Helper()
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return s.Get(t, observationsPath+"?"+values.Encode())
}

// runSnippet runs a program with the variables that the page tells readers to set, and returns its output.
func runSnippet(t *testing.T, s *harness.Server, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "LANGFUSE_") && !strings.HasPrefix(variable, "OTEL_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, "LANGFUSE_BASE_URL="+s.URL, "LANGFUSE_PUBLIC_KEY="+s.PublicKey, "LANGFUSE_SECRET_KEY="+s.SecretKey)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v (is everything there? `make test-tools` installs it)\n%s%s", program, err, out, stderr.String())
	}
	return string(out)
}

// pythonOf returns the Python interpreter of a set of clients installed by `make test-tools`: the newest ones, or those
// of the previous major version.
func pythonOf(t *testing.T, directory string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../.tools", directory, "bin/python"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReadingQueries runs the examples of totals, counts and facets on the page. Each example on the page needs an
// entry here.
func TestReadingQueries(t *testing.T) {
	const section, definition = "Totals, counts and facets", "Another shell function"
	p := readingGuide(t)
	s := startForExports(t, t.TempDir())
	sendSpans(t, s, supportDesk(time.Now()))
	function := p.block(t, section, definition).text
	want := map[string]string{
		"The most expensive traces":                      `^\{"rows":\[\{"id":"00f067aa0ba902b7",.*"totalCost":0\.12,.*"observations":4,`,
		"Traces that cost much, and failed or were long": `^\{"rows":\[\{"id":"00f067aa0ba902b7",.*"totalCost":0\.12,.*"observations":4,[^\]]*\],"cursor":null,`,
		"Sessions in which something failed":             `^\{"rows":\[\{"id":"chat-43",.*"traces":1,"observations":2,.*"errors":1,[^{]*\}\],"cursor":null\}$`,
		"Users by cost":                                  `^\{"rows":\[\{"id":"user-7",.*\{"id":"user-8",`,
		"Which models and environments there are":        `"environment":\[\{"value":"production","count":6\}.*"model":\[.*\{"value":"gpt-4o","count":1\}`,
		"Observations over a day":                        `"step":3600000,"buckets":\[(\{"count":0,"errors":0\},){9}\{"count":1,"errors":1\},`,
		"How slow each model is":                         `\{"value":"gpt-4o-mini","count":1,"errors":1,"p50":30,"p95":30,"totalCost":0\.0001,"totalTokens":800\}`,
		"Traces without a score of a name":               `^\{"count":[1-9],"exact":true\}$`,
		"What sets errors apart":                         `^\{"selected":2,"baseline":10,"differences":\[\{"column":"environment","value":"default",`,
	}
	for _, b := range p.blocks {
		if b.section != section || b.caption == definition {
			continue
		}
		expected, ok := want[b.caption]
		if !ok {
			t.Errorf("%s: nobody says what this finds", b.caption)
			continue
		}
		delete(want, b.caption)
		if got := runSnippet(t, s, "sh", "-c", function+b.text); !regexp.MustCompile(expected).MatchString(got) {
			t.Errorf("%s: %s\nwant %s", b.caption, got, expected)
		}
	}
	for caption := range want {
		t.Errorf("the page does not show %q", caption)
	}
}

// TestReadingRecipes runs every recipe and compares the rows it finds. Each recipe on the page needs an entry here.
func TestReadingRecipes(t *testing.T) {
	p := readingGuide(t)
	s := startForExports(t, t.TempDir())
	rows := supportDesk(time.Now())
	sendSpans(t, s, rows)
	want := recipeRows()
	function := p.block(t, "A first request", "A shell function").text

	seen := 0
	for _, b := range p.blocks {
		if b.section != "Recipes" {
			continue
		}
		t.Run(b.caption, func(t *testing.T) {
			expected, ok := want[b.caption]
			if !ok {
				t.Fatal("recipeRows does not say which rows this finds")
			}
			delete(want, b.caption)
			var found []string
			switch b.language {
			case "sh":
				found = rowNames(t, runSnippet(t, s, "sh", "-c", function+b.text))
			case "python": // prints one name per line
				found = strings.Split(strings.TrimSpace(runSnippet(t, s, pythonOf(t, "python"), "-c", b.text)), "\n")
				slices.Sort(found)
			case "json":
				status, answer := getObservations(t, s, "filter", b.text)
				if status != http.StatusOK {
					t.Fatalf("%d %s", status, answer)
				}
				found = rowNames(t, answer)
			default:
				t.Fatalf("there is no way to run %q", b.language)
			}
			if len(found) == 0 || len(found) >= len(rows) {
				t.Errorf("it finds %d of %d rows, which shows nothing", len(found), len(rows))
			}
			if diff := cmp.Diff(strings.Split(expected, ", "), found); diff != "" {
				t.Errorf("(- expected, + found)\n%s", diff)
			}
		})
		seen++
	}
	const fewest = 20
	if seen < fewest {
		t.Errorf("the page has %d recipes, not %d", seen, fewest)
	}
	for caption := range want {
		t.Errorf("the page has no recipe %q", caption)
	}
}

// guideWalk is a program on the page that walks through all rows.
type guideWalk struct {
	caption string
	program []string // and its arguments before the code
	before  string   // prepended to the code
}

// TestReadingWalks runs the programs on the page that walk through all rows, which takes three pages of a thousand.
func TestReadingWalks(t *testing.T) {
	p := readingGuide(t)
	s := startForExports(t, t.TempDir())
	const rows = 2345
	began := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	spans := make([]sentSpan, rows)
	ids := make([]string, rows)
	for n := range spans {
		spans[n] = sentSpan{
			name: "step", trace: fmt.Sprintf("%032x", 1+n/10), id: fmt.Sprintf("%016x", 1+n),
			start: began.Add(time.Duration(n/7) * time.Millisecond), // several in one millisecond
		}
		ids[n] = spans[n].id
	}
	sendSpans(t, s, spans)

	function := p.block(t, "A first request", "A shell function").text
	const section = "Walking through all rows"
	ways := []guideWalk{
		{"curl", []string{"sh", "-c"}, function},
		{"Python", []string{pythonOf(t, "python"), "-c"}, ""},
		{"The Python SDK", []string{pythonOf(t, "python"), "-c"}, ""},
		{"The Python SDK", []string{pythonOf(t, "python-previous"), "-c"}, ""},
		{"JavaScript", []string{"node", "--input-type=module", "-e"}, ""},
	}
	for _, way := range ways {
		t.Run(way.caption, func(t *testing.T) {
			text := way.before + p.block(t, section, way.caption).text
			printed := runSnippet(t, s, way.program[0], append(way.program[1:], text)...)
			got := regexp.MustCompile(`\b[0-9a-f]{16}\b`).FindAllString(printed, -1)
			slices.Sort(got)
			if diff := cmp.Diff(ids, got); diff != "" {
				t.Errorf("(- sent, + walked through)\n%s", diff)
			}
		})
	}
	for _, b := range p.blocks {
		if b.section == section && !slices.ContainsFunc(ways, func(w guideWalk) bool { return w.caption == b.caption }) {
			t.Errorf("a block is not run:\n%s", b.text)
		}
	}

	// Small responses have an entity tag, large ones are streamed.
	tag := tagOf(t, s, "limit=2", "")
	again, large := tagOf(t, s, "limit=2", tag), tagOf(t, s, "limit=1000&fields=basic,metadata,model,usage", "")
	if tag == "" || again != "304" || large != "" {
		t.Errorf("the tag of two rows is %q, with it %q, that of a thousand %q", tag, again, large)
	}
}

// tagOf returns the entity tag of a response, or 304 if the server says that the client already has it.
func tagOf(t *testing.T, s *harness.Server, query, known string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+observationsPath+"?"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(s.PublicKey, s.SecretKey)
	r.Header.Set("If-None-Match", known)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusNotModified {
		return "304"
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", query, answer.Status)
	}
	return answer.Header.Get("ETag")
}

// TestReadingFields compares the table of field groups with actual rows.
func TestReadingFields(t *testing.T) {
	p := readingGuide(t)
	s := startForExports(t, t.TempDir())
	sendSpans(t, s, supportDesk(time.Now())[:1])
	groups := make(map[string][]string)
	for _, row := range p.table(t, "Field groups", 3) {
		group := strings.Trim(row[0], "`")
		groups[group] = append(groups[group], inCode(row[1])...)
	}
	members := func(fields ...string) []string {
		t.Helper()
		status, body := getObservations(t, s, fields...)
		var list struct {
			Data []map[string]any `json:"data"`
		}
		if err := json.Unmarshal([]byte(body), &list); status != http.StatusOK || err != nil || len(list.Data) != 1 {
			t.Fatalf("%v: %d %s, %v", fields, status, body, err)
		}
		return slices.Sorted(maps.Keys(list.Data[0]))
	}
	compare := func(name string, got []string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(slices.Sorted(slices.Values(want)), got); diff != "" {
			t.Errorf("%s (- the page, + the row)\n%s", name, diff)
		}
	}
	always := slices.Concat(groups["core"], groups["every row"])
	compare("without fields", members(), slices.Concat(always, groups["basic"])...)
	known := 0
	for group, fields := range groups {
		switch group {
		case "every row":
			continue
		case "core":
			compare(group, members("fields", group), always...)
		default:
			compare(group, members("fields", group), slices.Concat(always, fields)...)
		}
		// Names given individually must exist.
		if status, body := getObservations(t, s, "fields", group, "fields", "core"); status != http.StatusOK {
			t.Errorf("%s: %d %s", group, status, body)
		}
		known++
	}
	const all = 10
	if known != all {
		t.Errorf("the page has %d groups, not %d", known, all)
	}
}

// TestReadingColumns compares the tables of columns, types and limits with the filter language.
func TestReadingColumns(t *testing.T) {
	p := readingGuide(t)
	types := map[filter.Kind]string{
		filter.Text: "text", filter.LongText: "long text", filter.List: "list", filter.Number: "number", filter.Time: "time",
		filter.Bool: "boolean", filter.Metadata: "metadata",
	}
	without := func(c *filter.Column[domain.Observation]) string {
		switch {
		case c.Nullable():
			return "null"
		case c.EmptyIsNull():
			return "unset"
		case c.Kind() == filter.Text, c.Kind() == filter.LongText:
			return "empty"
		}
		return "–"
	}
	catalogue := filter.Observations()
	var got, want []string
	for _, row := range p.table(t, "Columns", 4) {
		for _, name := range inCode(row[0]) {
			got = append(got, name)
			column, ok := catalogue.Column(name)
			if !ok {
				t.Errorf("there is no column %s", name)
				continue
			}
			if row[1] != types[column.Kind()] || row[2] != without(column) {
				t.Errorf("%s is %s and without a value %s; the page says %s and %s", name, types[column.Kind()], without(column),
					row[1], row[2])
			}
		}
	}
	for _, c := range catalogue.Columns() {
		want = append(append(want, c.ID()), c.Aliases()...)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns (- the program, + the page)\n%s", diff)
	}

	limits := filter.DefaultLimits()
	bounds := map[string]int{
		"conditions in a filter": limits.Conditions, "values in the list of a condition": limits.Values,
		"characters of a value or a key": limits.Characters,
		"bytes of a filter":              limits.Bytes, "levels of nesting": limits.Depth,
		"words of `matches` that are checked": filter.MaxQueryWords,
		"keys in `expandMetadata`":            respond.MaxExpandedKeys, "rows of a page": 1000,
	}
	for _, row := range p.table(t, "Limits", 3) {
		if bound, ok := bounds[row[0]]; ok {
			if row[1] != withCommas(bound) {
				t.Errorf("%s: %d; the page says %s", row[0], bound, row[1])
			}
			delete(bounds, row[0])
		}
	}
	for name := range bounds {
		t.Errorf("the page does not tell the limit of %s", name)
	}
}

func withCommas(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", withCommas(n/1000), n%1000)
}

// TestReadingTypes tries every type with every operator on the page, on a column of a listed kind, and checks that all
// other operators are refused.
func TestReadingTypes(t *testing.T) {
	p := readingGuide(t)
	catalogue := filter.Observations()
	columns := map[string]string{
		"text": "name", "long text": "input", "list": "tags", "number": "latency", "time": "startTime", "boolean": "hasInput",
		"metadata": "metadata",
	}
	values := map[string]string{
		"a text": `"x"`, "a list of texts": `["x"]`, "a number": `1`, "a point in time": `"2025-05-04"`, "`true` or `false`": `true`,
		"none": `""`,
	}
	operators := []string{
		"=", "<>", ">", "<", ">=", "<=", "contains", "does not contain", "starts with", "ends with", "matches",
		"any of", "none of", "all of", "is null", "is not null", "is set",
	}
	for _, row := range p.table(t, "The filter language", 4) {
		name, kinds, listed, value := strings.Trim(row[0], "`"), strings.Split(row[1], ", "), inCode(row[2]), values[row[3]]
		if value == "" {
			t.Errorf("%s: there is no value for %q", name, row[3])
		}
		for kind, column := range columns {
			for _, operator := range operators {
				text := fmt.Sprintf(`[{"type":%q,"column":%q,"key":"k","operator":%q,"value":%s}]`, name, column, operator, value)
				_, err := filter.Parse(catalogue, text, filter.DefaultLimits())
				ok := slices.Contains(kinds, kind) && slices.Contains(listed, operator)
				switch {
				case kind == "text" && operator == "matches", kind == "long text" && operator != "=" && operator != "matches":
					ok = false // the page says so below the table
				}
				if (err == nil) != ok {
					t.Errorf("%s: %v; the page says that it is taken: %v", text, err, ok)
				}
			}
		}
	}
}

// TestReadingWords compares the table of words with what the operator matches finds.
func TestReadingWords(t *testing.T) {
	input, ok := filter.Observations().Column("input")
	if !ok {
		t.Fatal("there is no input")
	}
	for _, row := range readingGuide(t).table(t, "The filter language: Words: `matches`", 3) {
		value := inCode(row[0])[0]
		condition, err := filter.NewText(input, filter.Matches, value)
		if err != nil {
			t.Fatal(err)
		}
		found, notFound := inCode(row[1]), inCode(row[2])
		if len(found) == 0 || len(notFound) == 0 {
			t.Errorf("%q shows nothing", value)
		}
		for _, text := range slices.Concat(found, notFound) {
			if got, want := condition.MatchText(text, false), slices.Contains(found, text); got != want {
				t.Errorf("%q in %q: %v; the page says %v", value, text, got, want)
			}
		}
	}
}

// TestReadingErrors sends every request that is refused according to the page.
func TestReadingErrors(t *testing.T) {
	p := readingGuide(t)
	s := startForExports(t, t.TempDir())
	for _, row := range p.table(t, "Errors", 2) {
		request, told := inCode(row[0]), inCode(row[1])
		if len(request) != 1 || len(told) == 0 {
			t.Errorf("no request and answer in %q", row)
			continue
		}
		name, value, _ := strings.Cut(request[0], "=")
		status, body := getObservations(t, s, name, value)
		var answer struct {
			Message string `json:"message"`
			Error   any    `json:"error"`
		}
		if err := json.Unmarshal([]byte(body), &answer); status != http.StatusBadRequest || err != nil {
			t.Errorf("%s: %d %s, %v", request[0], status, body, err)
			continue
		}
		// The page has the messages in backticks, so it leaves out those within them.
		got := []string{strings.ReplaceAll(answer.Message, "`", "")}
		if issues, ok := answer.Error.([]any); ok {
			got = nil
			for _, issue := range issues {
				issue := issue.(map[string]any)
				got = append(got, strings.Trim(fmt.Sprint(issue["path"]), "[]"), fmt.Sprint(issue["message"]))
			}
		}
		if diff := cmp.Diff(told, got); diff != "" {
			t.Errorf("%s (- the page, + the answer)\n%s", request[0], diff)
		}
	}
}

// TestReadingTooSlow queries a server whose request timeout is too short.
func TestReadingTooSlow(t *testing.T) {
	want := readingGuide(t).block(t, "Errors", "Too slow").text
	s := startForExports(t, t.TempDir(), "--request-timeout=1ns")
	if status, body := getObservations(t, s); status != http.StatusUnprocessableEntity || body != strings.TrimSpace(want) {
		t.Errorf("%d %s", status, body)
	}
}

// TestReadingExamples checks the example responses on the page.
func TestReadingExamples(t *testing.T) {
	p := readingGuide(t)
	for _, b := range p.blocks {
		if b.language == "json" && !json.Valid([]byte(b.text)) {
			t.Errorf("%s: this is no JSON:\n%s", b.section, b.text)
		}
	}
	s := startForExports(t, t.TempDir())
	rows := supportDesk(time.Now())
	sendSpans(t, s, rows)
	function := p.block(t, "A first request", "A shell function").text
	if got := rowNames(t, runSnippet(t, s, "sh", "-c", function+p.block(t, "A first request", "The newest two").text)); len(got) != 2 {
		t.Errorf("the first request finds %q", got)
	}
	metadata := func(caption string) map[string]any {
		t.Helper()
		var list struct {
			Data []struct {
				Metadata map[string]any `json:"metadata"`
			} `json:"data"`
		}
		answer := runSnippet(t, s, "sh", "-c", function+p.block(t, "Metadata", caption).text)
		if err := json.Unmarshal([]byte(answer), &list); err != nil || len(list.Data) != 1 {
			t.Fatalf("%s: %v %s", caption, err, answer)
		}
		return list.Data[0].Metadata
	}
	sent := rows[0].attributes["langfuse.observation.metadata.transcript"].(string)
	if got := metadata("Cut"); got["transcript"] != sent[:200] {
		t.Errorf("the value is not cut: %v", got)
	}
	if got := metadata("Whole"); got["transcript"] != sent {
		t.Errorf("the value is cut: %v", got)
	}
}

// Traces of the support desk in the recipes.
const (
	ticketTrace     = "0af7651916cd43dd8448eb211c80319c"
	failedTrace     = "4bf92f3577b34da6a3ce929d0e0e4736"
	nightlyTrace    = "d4cda95b652f4a1592b449d5929fda1b"
	experimentTrace = "7d3efb1b173fecfa7e0a3b7c1a2b3c4d"
	mayTrace        = "463ac35c9f6413ad48485a3953bb6124"
)

// supportDesk returns the spans of a day at a support desk, with rows for every recipe. Their names are those in
// recipeRows.
func supportDesk(now time.Time) []sentSpan {
	const (
		observation = "langfuse.observation."
		metadata    = observation + "metadata."
		tools       = `[{"type":"function","function":{"name":"lookup_order","parameters":{}}},` +
			`{"type":"function","function":{"name":"issue_refund","parameters":{}}}]`
	)
	// with returns shared attributes plus more.
	with := func(shared map[string]any, more map[string]any) map[string]any {
		all := maps.Clone(shared)
		maps.Copy(all, more)
		return all
	}
	ticket := map[string]any{
		"user.id": "user-7", "session.id": "chat-42", "langfuse.trace.name": "support ticket",
		"langfuse.trace.tags":  []string{"support", "eu"},
		"langfuse.environment": "production", "langfuse.release": "2026.11",
	}
	failed := map[string]any{
		"user.id": "user-8", "session.id": "chat-43", "langfuse.environment": "production", "langfuse.trace.tags": []string{"support"},
	}
	nightly := map[string]any{"langfuse.environment": "staging"}
	experiment := map[string]any{
		"langfuse.environment": "experiments", "langfuse.experiment.id": "exp-1", "langfuse.experiment.name": "shorter answers",
		"langfuse.experiment.dataset.id": "tickets", "langfuse.experiment.item.root_observation_id": "00000000000000d1",
	}
	minutesAgo := func(minutes int) time.Time { return now.Add(-time.Duration(minutes) * time.Minute) }
	bot, jobs := map[string]any{"service.name": "support-bot"}, map[string]any{"service.name": "batch-jobs"}
	may := time.Date(2025, 5, 4, 9, 30, 0, 0, time.UTC)
	return []sentSpan{
		{"ticket", ticketTrace, "00f067aa0ba902b7", "", minutesAgo(10), 9 * time.Second, with(ticket, map[string]any{
			observation + "type": "agent", observation + "input": "Can I get a refund? What is your Refund Policy, please?",
			observation + "output": "Yes, within 30 days.", metadata + "customer": `{"plan":"enterprise","seats":250}`,
			metadata + "attempt":    1,
			metadata + "transcript": strings.Repeat("hello, how can I help? ", 20),
		}), bot},
		{"search", ticketTrace, "00000000000000a2", "00f067aa0ba902b7", minutesAgo(10), 200 * time.Millisecond, with(ticket, map[string]any{
			observation + "type": "retriever", observation + "input": "policy refund", metadata + "cached": true,
		}), bot},
		{"draft", ticketTrace, "00000000000000a3", "00f067aa0ba902b7", minutesAgo(9), 6 * time.Second, with(ticket, map[string]any{
			observation + "type": "generation", observation + "model.name": "gpt-4o", observation + "prompt.name": "support-answer",
			observation + "prompt.version": 3, observation + "usage_details": `{"input":12000,"output":300,"total":12300}`,
			observation + "cost_details":          `{"input":0.03,"output":0.09,"total":0.12}`,
			observation + "completion_start_time": minutesAgo(9).Add(400 * time.Millisecond).UTC().Format(time.RFC3339Nano),
			observation + "input":                 `{"messages":[{"role":"user","content":"Where is my order?"}],"tools":` + tools + `}`,
			observation +
				"output": `{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"lookup_order","arguments":"{}"}}]}`,
			metadata + "attempt": 3,
		}), bot},
		{"order", ticketTrace, "00000000000000a4", "00f067aa0ba902b7", minutesAgo(8), 50 * time.Millisecond, with(ticket, map[string]any{
			observation + "type": "tool", observation + "input": "lookup_order", observation + "output": "shipped",
		}), bot},

		{"failed ticket", failedTrace, "00000000000000b1", "", minutesAgo(20), 31 * time.Second, with(failed, map[string]any{
			observation + "type": "span", observation + "level": "WARNING", observation + "input": "Where is my parcel?",
			"langfuse.version": "v2",
		}), bot},
		{"failed draft", failedTrace, "00000000000000b2", "00000000000000b1", minutesAgo(20), 30 * time.Second, with(failed, map[string]any{
			observation + "type": "generation", observation + "level": "ERROR",
			observation + "status_message": "upstream timeout after 30 s",
			observation + "model.name":     "gpt-4o-mini", observation + "prompt.name": "support-answer", observation + "prompt.version": 2,
			observation + "usage_details": `{"input":800,"output":0,"total":800}`, observation + "cost_details": `{"total":0.0001}`,
			metadata + "error": "socket closed by upstream", "langfuse.version": "v2",
		}), bot},

		{"nightly", nightlyTrace, "00000000000000c1", "", minutesAgo(180), 40 * time.Second, with(nightly, map[string]any{
			observation + "type": "generation", observation + "model.name": "house-model-7b", observation + "input": "summarise the day",
			observation + "output": "返金の件は解決しました。", observation + "usage_details": `{"input":4000,"output":120,"total":4120}`,
			observation + "completion_start_time": minutesAgo(180).Add(3 * time.Second).UTC().Format(time.RFC3339Nano),
			metadata + "cached":                   false, "langfuse.trace.tags": []string{"batch", "eu"},
		}), jobs},

		{"experiment item", experimentTrace, "00000000000000d1", "", minutesAgo(300), 3 * time.Second, with(experiment, map[string]any{
			observation + "type": "span", observation + "input": "item 1",
		}), bot},
		{"experiment draft", experimentTrace, "00000000000000d2", "00000000000000d1", minutesAgo(300), 2 * time.Second, with(experiment,
			map[string]any{
				observation + "type": "generation", observation + "model.name": "claude-sonnet-4-5", observation + "output": "fine",
				observation + "usage_details": `{"input":100,"output":50,"total":150}`, observation + "cost_details": `{"total":0.00105}`,
			}), bot},

		{"may ticket", mayTrace, "00000000000000e1", "", may, time.Second, map[string]any{
			observation + "type": "span", observation + "level": "ERROR", observation + "status_message": "no such customer",
			"user.id":          "user-7",
			"langfuse.release": "2025.5",
		}, bot},
	}
}

// recipeRows returns the names of the rows that each recipe finds, sorted.
func recipeRows() map[string]string {
	return map[string]string{
		"Generations, by a parameter":    "draft, experiment draft, failed draft, nightly",
		"Slow rows, with curl":           "failed draft, failed ticket, nightly",
		"Slow rows, with the Python SDK": "failed draft, failed ticket, nightly",

		"Errors of the last hour":      "failed draft",
		"One day":                      "may ticket",
		"One day, as a filter":         "may ticket",
		"Warnings and errors":          "failed draft, failed ticket, may ticket",
		"A word in the status message": "failed draft",

		"One trace with everything in it":  "draft, order, search, ticket",
		"Several traces":                   "failed draft, failed ticket, may ticket",
		"A user's session":                 "draft, order, search, ticket",
		"Rows without a user":              "experiment draft, experiment item, nightly",
		"Root observations":                "experiment item, failed ticket, may ticket, nightly, ticket",
		"Children of an observation":       "draft, order, search",
		"Traces of a name":                 "ticket",
		"Everything but test environments": "draft, failed draft, failed ticket, may ticket, order, search, ticket",
		"Tagged with both":                 "draft, order, search, ticket",
		"Tagged with neither":              "experiment draft, experiment item, may ticket",
		"Of a release":                     "draft, order, search, ticket",

		"Models, any of":                         "draft, experiment draft",
		"A family of models":                     "draft, failed draft",
		"A version of a prompt":                  "draft",
		"Calls of a tool":                        "draft",
		"A tool that was offered and not called": "draft",
		"Generations without an answer":          "failed draft",

		"Slow generations":            "draft, failed draft, nightly",
		"Between two and ten seconds": "draft, experiment draft, experiment item, ticket",
		"Late first token":            "nightly",
		"Slow streams":                "nightly",
		"Expensive calls":             "draft",
		"Large prompts":               "draft",
		"Models without a price":      "nightly",

		"Words in the input":            "ticket",
		"Words in Japanese":             "nightly",
		"Exactly this input":            "failed ticket",
		"Metadata by text":              "ticket",
		"Metadata by number":            "draft",
		"Metadata by truth":             "search",
		"Words in metadata":             "failed draft",
		"Rows that have a metadata key": "nightly, search",
		"Rows of a service":             "nightly",

		"Rows of experiments":    "experiment draft, experiment item",
		"Items of an experiment": "experiment item",
	}
}
