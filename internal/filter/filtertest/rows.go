package filtertest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
)

// drawnRows is the number of random rows, in addition to a few written by hand.
const drawnRows = 440

// Rows returns the rows that filters are tried on. They are the same in every run, have unique keys, are unordered, and
// cover every column with different values, without a value and, where possible, with null.
func Rows() []domain.Observation {
	rows := make([]domain.Observation, 0, drawnRows+4)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the rows are to be the same in every run
	for n := range drawnRows {
		rows = append(rows, drawRow(random, n))
	}
	// Only a key; a root without a name; a start before 1970 within a millisecond; everything at once.
	return append(rows,
		domain.Observation{TraceID: "bare", ID: "child", ParentID: "parent", StartTime: base},
		domain.Observation{TraceID: "bare", ID: "root", StartTime: base + 1},
		domain.Observation{TraceID: "bare", ID: "old", StartTime: -500, EndTime: -1},
		fullRow(),
	)
}

// base is when most rows start, not on a whole millisecond.
var base = domain.MicrosOf(time.Date(2026, 3, 4, 5, 6, 7, 123_456_000, time.UTC))

const (
	millisecond = domain.Micros(1000)
	second      = 1000 * millisecond
	day         = 24 * 60 * 60 * second
)

func pick[T any](random *rand.Rand, from ...T) T { return from[random.IntN(len(from))] }

func drawRow(random *rand.Rand, n int) domain.Observation {
	text := func() string { return pick(random, texts...) }
	o := domain.Observation{
		TraceID: fmt.Sprintf("trace-%02d", n%67), ID: fmt.Sprintf("obs-%03d", n),
		ParentID: pick(random, "", "obs-000", "obs-001", "root 1"), IsAppRoot: random.IntN(6) == 0, AsRoot: random.IntN(9) == 0,
		Type:        pick(random, "SPAN", "GENERATION", "EVENT", "TOOL", ""),
		Level:       pick(random, "DEFAULT", "WARNING", "ERROR", "DEBUG", ""),
		Environment: pick(random, "default", "production", "production-eu", "staging", ""),
		Name:        text(), Version: text(), Release: text(), StatusMessage: text(), UserID: text(), SessionID: text(),
		TraceName: pick(random, "", "", text()), Model: text(), ModelID: text(), PromptName: text(),
		ExperimentID: text(), ExperimentName: text(), ExperimentDatasetID: text(), ExperimentItemID: text(),
		ExperimentDescription: pick(random, "", text()), ExperimentMetadata: pick(random, "", `{"temperature":"0.2"}`),
		Source: text(), IngestionKey: text(), SDKName: text(), SDKVersion: text(),
		Tags: pick(random, lists...), ToolNames: pick(random, lists...), ToolCallNames: pick(random, lists...),
		Input: pick(random, longTexts...), Output: pick(random, longTexts...), Metadata: pick(random, metadata...),
		InputTokens: pick(random, tokens...), OutputTokens: pick(random, tokens...),
		InputCost: pick(random, costs...), OutputCost: pick(random, costs...),
	}
	o.ExperimentItemRootSpanID = pick(random, "", o.ID, "obs-000")
	if random.IntN(3) > 0 {
		o.TotalTokens = domain.IntOf(o.InputTokens + o.OutputTokens)
	}
	if random.IntN(3) > 0 {
		o.TotalCost = domain.FloatOf(o.InputCost + o.OutputCost)
	}
	if random.IntN(3) > 0 {
		o.PromptVersion = domain.IntOf(pick[int64](random, 0, 1, 2, 3, 17))
	}
	o.StartTime = base + pick[domain.Micros](random, -400, -1, 0, 0, 0, 1)*day + domain.Micros(random.IntN(4))*millisecond +
		pick[domain.Micros](random, 0, 1, 543, 544)
	if random.IntN(6) > 0 {
		o.EndTime = o.StartTime + pick(random, durations...)
	}
	if random.IntN(3) > 0 {
		o.CompletionStartTime = o.StartTime + pick(random, durations...)
	}
	return o
}

func fullRow() domain.Observation {
	const text = "all set"
	return domain.Observation{
		TraceID: "full", ID: text, ParentID: text, IsAppRoot: true, Type: text, Name: text, Environment: text, Version: text,
		Release: text, Level: text, StatusMessage: text, TraceName: text, UserID: text, SessionID: text, Tags: []string{text},
		StartTime: base, EndTime: base + second, CompletionStartTime: base + second/2,
		Input: text, Output: text, Metadata: `{"plan":"all set"}`, Model: text, ModelID: text,
		InputTokens: 1, OutputTokens: 2, TotalTokens: domain.IntOf(3),
		InputCost: 0.5, OutputCost: 0.25, TotalCost: domain.FloatOf(0.75),
		PromptName: text, PromptVersion: domain.IntOf(4), ToolNames: []string{text}, ToolCallNames: []string{text},
		ExperimentID: text, ExperimentName: text, ExperimentDatasetID: text, ExperimentItemRootSpanID: text,
		ExperimentItemID: text, ExperimentDescription: text, ExperimentMetadata: `{"all":"set"}`,
		Source: text, IngestionKey: text, SDKName: text, SDKVersion: text,
	}
}

var (
	texts = []string{
		"", "", "", "chat", "Chat completion", "chat completion", "tool call", "retrieve 100%", "snake_case", `quo"te \ slash`,
		"line\nbreak", "ünïcode", "日本語 モデル", "🙂 ok", "0", "null", " blank ", strings.Repeat("long ", 60) + "end",
	}
	lists = [][]string{
		nil, nil,
		{"alpha"},
		{"alpha", "beta"},
		{"beta", "gamma", "alpha"},
		{"Alpha"},
		{"beta", "beta"},
		{"", "gamma"},
		{"日本語"},
		{"a,b"},
	}
	tokens    = []int64{0, 1, 2, 10, 37, 150, 200}
	durations = []domain.Micros{
		0, 1, 500, millisecond, 250 * millisecond, second, 1234 * millisecond, 2500 * millisecond, 3 * second, 7 * second,
		90 * second, -5 * millisecond,
	}
	// Some sums are not exact in binary: 0.1 + 0.2 is slightly more, 0.1 + 0.7 slightly less.
	costs     = []float64{0, 0.1, 0.2, 0.7, 0.000025, 0.0000018, 1e-12, 1.5, 12.345678901234}
	longTexts = []string{
		"", "", "hello world", "Needle in a haystack", "foobarneedle", "needle@x.io and more", "needles, and a NEEDLE",
		"alpha beta", "beta alpha", "alpha gap beta", "ALPHA BETA!", "xalpha betax, alpha, beta",
		`{"messages":[{"role":"user","content":"What is the capital of France?"}]}`,
		"100% of a_thing", "今天天气很好，我们去公园。", "用Docker部署GPT4模型", "a𠮷野家", "Straße café", "line one\nline two\ttab",
		strings.Repeat("filler words before the ", 120) + "needle", numbered(80),
	}
	metadata = []string{
		"", "", `{}`, `{"plan":"enterprise"}`, `{"plan":"free","attempt":1}`, `{"plan":"Enterprise","attempt":2.5,"ok":true}`,
		`{"ok":false,"note":null}`, `{"user.plan":"enterprise gold","tags":["a","needle"]}`,
		`{"note":"A needle in a Haystack"}`, `{"note":"myneedles","other":"the needle"}`,
		`{"note":"myneedles","needle":"only in the key"}`, `{"num":"42","hex":"0x10","exp":"1.5e1"}`,
		`{"empty":"","plan":""}`, `{"quote\"d":"say \"hi\"\n"}`, `{"ünï":"日本語 テスト","plan":"free trial"}`,
		`{"ok":"true","attempt":"2"}`, `{"attempt":-3,"ok":null}`, `{"attempt":1e3,"user":"x"}`,
		`{"":"an empty key","nested":[{"plan":"inner"},null,1.50]}`, `{"note":"` + strings.Repeat("x", 300) + ` needle"}`,
	}
)

// numbered returns a text of n distinct words.
func numbered(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%d", i)
	}
	return strings.Join(words, " ")
}

// Name identifies a row by its trace id and id.
func Name(row *domain.Observation) string { return row.TraceID + "/" + row.ID }

// Found returns the names of the rows that a filter matches, in the order in which stores return rows.
func Found(filter string, rows []domain.Observation) []string {
	meets := Oracle(filter)
	var found []*domain.Observation
	for n := range rows {
		if meets(&rows[n]) {
			found = append(found, &rows[n])
		}
	}
	slices.SortFunc(found, func(a, b *domain.Observation) int {
		return cmp.Or(
			cmp.Compare(millisOf(b.StartTime), millisOf(a.StartTime)),
			cmp.Compare(b.TraceID, a.TraceID),
			cmp.Compare(b.ID, a.ID),
		)
	})
	names := make([]string, len(found))
	for n, row := range found {
		names[n] = Name(row)
	}
	return names
}
