package scores

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

var scope = domain.OfProject("p")

// arrival is the current time for the writers in these tests.
var arrival = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// newWriter returns a writer on an empty table with these configs.
func newWriter(configs ...domain.ScoreConfig) *Writer {
	find := func(_ context.Context, _ domain.ProjectScope, id string) (domain.ScoreConfig, error) {
		for _, c := range configs {
			if c.ID == id {
				return c, nil
			}
		}
		return domain.ScoreConfig{}, fmt.Errorf("score config %s: %w", id, domain.ErrNotFound)
	}
	return NewWriter(Options{
		Table: store.LockScores(storetest.NewModel().Scores(), nil), Config: find, Clock: func() time.Time { return arrival },
	})
}

// draft reads a draft from an event.
func draft(t testing.TB, at domain.Micros, members ...string) Draft {
	t.Helper()
	d, err := ReadEvent(decode.NewBody([]byte(object(members...))))
	if err != nil {
		t.Fatal(err)
	}
	d.At = at
	return d
}

// write writes drafts that must all be accepted.
func (w *Writer) write(t *testing.T, drafts ...Draft) {
	t.Helper()
	refusals, err := w.Write(t.Context(), scope, drafts)
	if err = errors.Join(append(refusals, err)...); err != nil {
		t.Fatal(err)
	}
}

// read returns the score with an id, or an empty one if there is none.
func (w *Writer) read(t *testing.T, id string) domain.Score {
	t.Helper()
	found, err := w.stored(t.Context(), scope, []string{id})
	if err != nil {
		t.Fatal(err)
	}
	if s := found[id]; s != nil {
		return *s
	}
	return domain.Score{}
}

func TestConfigs(t *testing.T) {
	configs := []domain.ScoreConfig{
		{ID: "number", Name: "Number", DataType: "NUMERIC", MinValue: new(-1.5), MaxValue: new(2.0)},
		{ID: "open", Name: "Open", DataType: "NUMERIC"},
		{
			ID: "bool", Name: "Bool", DataType: "BOOLEAN", Categories: []domain.ScoreCategory{
				{Label: "True", Value: 1}, {Label: "False", Value: 0},
			},
		},
		{
			ID: "category", Name: "Category", DataType: "CATEGORICAL", Categories: []domain.ScoreCategory{
				{Label: "good", Value: 7}, {Label: "bad", Value: -2},
			},
		},
		{ID: "text", Name: "Text", DataType: "TEXT"},
		{ID: "old", Name: "Old", DataType: "NUMERIC", Archived: true},
	}
	value := func(dataType, name string, number domain.OptFloat, text string) domain.Score {
		return domain.Score{DataType: dataType, Name: name, Value: number, StringValue: text}
	}
	cases := []struct {
		name    string
		members string
		want    domain.Score // only the type, the name and the value are compared
		refusal string
	}{
		{"number", `"value":0.5`, value("NUMERIC", "n", domain.FloatOf(0.5), ""), ""},
		{"zero", `"value":0`, value("NUMERIC", "n", domain.FloatOf(0), ""), ""},
		{"text", `"value":"red"`, value("CATEGORICAL", "n", domain.OptFloat{}, "red"), ""},
		{"boolean 1", `"value":1,"dataType":"BOOLEAN"`, value("BOOLEAN", "n", domain.FloatOf(1), "True"), ""},
		{"boolean 0", `"value":0,"dataType":"BOOLEAN"`, value("BOOLEAN", "n", domain.FloatOf(0), "False"), ""},
		{"long text", `"value":"words","dataType":"TEXT"`, value("TEXT", "n", domain.OptFloat{}, "words"), ""},
		{"correction", `"value":"right","dataType":"CORRECTION"`, value("CORRECTION", "output", domain.OptFloat{}, "right"), ""},

		{"in range", `"configId":"number","value":2`, value("NUMERIC", "Number", domain.FloatOf(2), ""), ""},
		{
			"at the minimum", `"configId":"number","value":-1.5,"dataType":"NUMERIC"`, value("NUMERIC", "Number", domain.FloatOf(-1.5), ""),
			"",
		},
		{
			"below", `"configId":"number","value":-1.6`,
			domain.Score{},
			`custom value: Value -1.6 is below minimum value -1.5 of score config "Number"`,
		},
		{
			"above", `"configId":"number","value":2.01`,
			domain.Score{},
			`custom value: Value 2.01 exceeds maximum value 2 of score config "Number"`,
		},
		{"without bounds", `"configId":"open","value":1e300`, value("NUMERIC", "Open", domain.FloatOf(1e300), ""), ""},
		{
			"text for a number", `"configId":"number","value":"2"`,
			domain.Score{},
			"invalid_type value: Invalid input: expected number, received string",
		},
		{
			"another type", `"configId":"number","value":1,"dataType":"BOOLEAN"`,
			domain.Score{},
			`custom dataType: Data type BOOLEAN does not match data type NUMERIC of score config "Number"`,
		},

		{"true", `"configId":"bool","value":1`, value("BOOLEAN", "Bool", domain.FloatOf(1), "True"), ""},
		{"neither", `"configId":"bool","value":0.5`, domain.Score{}, "custom value: " + zeroOrOne},

		{"category", `"configId":"category","value":"bad"`, value("CATEGORICAL", "Category", domain.FloatOf(-2), "bad"), ""},
		{
			"unknown category", `"configId":"category","value":"Good"`,
			domain.Score{},
			`custom value: Value "Good" is no category of score config "Category"`,
		},
		{
			"very long unknown category", `"configId":"category","value":"` + strings.Repeat("ä", 5000) + `"`,
			domain.Score{},
			`custom value: Value "` + strings.Repeat("ä", 100) + `…" is no category of score config "Category"`,
		},
		{
			"number for a category", `"configId":"category","value":7`,
			domain.Score{},
			"invalid_type value: Invalid input: expected string, received number",
		},

		{"config for texts", `"configId":"text","value":"words"`, value("TEXT", "Text", domain.OptFloat{}, "words"), ""},
		{
			"too long for a text", `"configId":"text","value":"` + strings.Repeat("x", 501) + `"`,
			domain.Score{},
			"too_big value: Too big: expected string to have <=500 characters",
		},

		{"no such config", `"configId":"nope"`, domain.Score{}, `custom configId: Score config "nope" not found within authorized project`},
		{
			"archived", `"configId":"old"`,
			domain.Score{},
			`custom configId: Score config "Old" is archived: no new scores can be created with it`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWriter(configs...)
			refusals, err := w.Write(t.Context(), scope, []Draft{
				draft(t, 1, `"id":"before"`), draft(t, 1, `"id":"s"`, c.members), draft(t, 1, `"id":"after"`),
			})
			if err != nil || len(refusals) != 3 || refusals[0] != nil || refusals[2] != nil {
				t.Fatalf("refusals %v, error %v", refusals, err)
			}
			if w.read(t, "before").ID == "" || w.read(t, "after").ID == "" {
				t.Error("the neighbours are not stored")
			}
			got := w.read(t, "s")
			if c.refusal != "" {
				if texts := issueTexts(t, refusals[1]); len(texts) != 1 || texts[0] != c.refusal || got.ID != "" {
					t.Errorf("refused with %q, stored %+v", texts, got)
				}
				return
			}
			if refusals[1] != nil {
				t.Fatal(refusals[1])
			}
			if got := value(got.DataType, got.Name, got.Value, got.StringValue); got != c.want {
				t.Errorf("stored %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestWrite(t *testing.T) {
	w := newWriter()
	at := domain.MicrosOf(time.Date(2026, 3, 1, 10, 0, 0, 123_456_000, time.UTC))
	w.write(t,
		draft(t, at,
			`"id":"s","value":1.5,"observationId":"o","comment":"c","queueId":"q","metadata":{"a":1},"environment":"prod","source":"EVAL","executionTraceId":"x"`))
	now := domain.MicrosOf(arrival)
	want := domain.Score{
		ID: "s", TraceID: "t", ObservationID: "o", Name: "n", Source: "EVAL", DataType: "NUMERIC", Value: domain.FloatOf(1.5),
		Environment: "prod",
		Comment:     "c", QueueID: "q", ExecutionTraceID: "x", Metadata: `{"a":1}`,
		Timestamp: at - 456, EventAt: at, CreatedAt: now, UpdatedAt: now,
	}
	if diff := cmp.Diff(want, w.read(t, "s")); diff != "" {
		t.Error(diff)
	}
	if refusals, err := w.Write(t.Context(), scope, nil); err != nil || len(refusals) != 0 {
		t.Errorf("nothing to write: %v, %v", refusals, err)
	}
	w.write(t, draft(t, 0, `"id":"epoch"`)) // to the store, 0 means no time
	if got := w.read(t, "epoch"); got.Timestamp != 1 || got.Timestamp.Millis() != 0 {
		t.Errorf("dated %d", got.Timestamp)
	}
}

func TestMask(t *testing.T) {
	w := newWriter()
	w.Mask = func(scope domain.ProjectScope, comment, text, metadata *string) {
		for _, masked := range []*string{comment, text, metadata} {
			*masked = strings.ReplaceAll(*masked, "secret", scope.ProjectID()+"p")
		}
	}
	w.write(t,
		draft(t, 1, `"id":"text","dataType":"TEXT","value":"secret","comment":"secret","metadata":{"a":"secret"}`),
		draft(t, 2, `"id":"text","dataType":"TEXT","value":"secret","metadata":{"b":"secret"}`),
		draft(t, 1, `"id":"category","value":"secret"`))
	if got := w.read(t, "text"); got.StringValue != "pp" || got.Comment != "pp" || got.Metadata != `{"a":"pp","b":"pp"}` {
		t.Errorf("stored %+v", got)
	}
	if got := w.read(t, "category"); got.StringValue != "secret" || got.Comment != "" || got.Metadata != "" {
		t.Errorf("stored %+v", got)
	}
}

// TestMetadataAreBounded makes a score grow by repeated writes.
func TestMetadataAreBounded(t *testing.T) {
	w := newWriter()
	grow := func(id, key string) error {
		refusals, err := w.Write(t.Context(), scope, []Draft{
			draft(t, 1, `"id":"`+id+`","metadata":{"`+key+`":"`+strings.Repeat("x", 600_000)+`"}`), draft(t, 1, `"id":"other"`),
		})
		if err != nil || refusals[1] != nil {
			t.Fatal(refusals, err)
		}
		return refusals[0]
	}
	if err := grow("s", "a"); err != nil {
		t.Fatal(err)
	}
	before := w.read(t, "s")
	err := grow("s", "b")
	if texts := issueTexts(t, err); len(texts) != 1 ||
		texts[0] != `custom metadata: The metadata of score "s" would have 1200015 bytes, those of earlier writes included; the limit is 1048576` {
		t.Errorf("refused with %q", texts)
	}
	if diff := cmp.Diff(before, w.read(t, "s")); diff != "" {
		t.Errorf("a refused write changed the score: %s", diff)
	}
	if err := grow("s", "a"); err != nil {
		t.Errorf("a write that replaces is refused: %v", err)
	}
}

// failing is a table whose calls fail.
type failing struct {
	store.Table[domain.Score]
	appendErr, deleteErr error
}

func (f failing) Delete(context.Context, domain.ProjectScope, store.Selection) (int, error) {
	return 0, f.deleteErr
}

func (f failing) Append(context.Context, domain.ProjectScope, []domain.Score) error {
	return f.appendErr
}

func TestFailures(t *testing.T) {
	broken := errors.New("catalog on fire")
	w := newWriter()
	w.Config = func(context.Context, domain.ProjectScope, string) (domain.ScoreConfig, error) {
		return domain.ScoreConfig{}, broken
	}
	if _, err := w.Write(t.Context(), scope, []Draft{draft(t, 1, `"configId":"c"`)}); !errors.Is(err, broken) {
		t.Errorf("a failed look-up of a config gives %v", err)
	}
	w = newWriter()
	w.write(t, draft(t, 1, `"id":"server"`))
	w.Table = store.LockScores(failing{w.Table, store.ErrBusy, store.ErrBusy}, nil)
	if _, err := w.Write(t.Context(), scope, []Draft{draft(t, 1, `"id":"s"`)}); !errors.Is(err, store.ErrBusy) {
		t.Errorf("a busy store gives %v", err)
	}
	if err := w.Delete(t.Context(), scope, []string{"s"}); !errors.Is(err, store.ErrBusy) {
		t.Errorf("a busy store that should delete gives %v", err)
	}
	foreign := draft(t, 1, `"id":"server"`)
	foreign.BrowserKey = "k"
	if refusals, err := w.Write(t.Context(), scope, []Draft{foreign}); err != nil || !errors.Is(refusals[0], ErrForeign) {
		t.Errorf("where all is refused the store is asked for nothing: %v, %v", refusals, err)
	}

	w = newWriter()
	w.Table = store.LockScores(w.Table.Table, func(context.Context, string, []string) (func(), error) { return nil, broken })
	if _, err := w.Write(t.Context(), scope, []Draft{draft(t, 1, `"id":"s"`)}); !errors.Is(err, broken) {
		t.Errorf("a write that cannot be kept apart from others gives %v", err)
	}
	if err := w.Delete(t.Context(), scope, []string{"s"}); !errors.Is(err, broken) {
		t.Errorf("a deletion that cannot be kept apart from others gives %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w = newWriter()
	if _, err := w.Write(ended, scope, []Draft{draft(t, 1, `"id":"s"`)}); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was given up gives %v", err)
	}
	w.write(t, draft(t, 1, `"id":"s"`)) // no lock is left behind
}

func TestEachConfigIsLookedUpOnce(t *testing.T) {
	w := newWriter()
	calls := 0
	w.Config = func(context.Context, domain.ProjectScope, string) (domain.ScoreConfig, error) {
		calls++
		return domain.ScoreConfig{}, domain.ErrNotFound
	}
	drafts := []Draft{draft(t, 1, `"configId":"c"`), draft(t, 1, `"configId":"c"`), draft(t, 1, `"configId":"d"`)}
	if _, err := w.Write(t.Context(), scope, drafts); err != nil || calls != 2 {
		t.Errorf("%d look-ups, %v", calls, err)
	}
}

// TestConcurrentWrites has many goroutines each add a key to the same scores, in overlapping batches.
func TestConcurrentWrites(t *testing.T) {
	w := newWriter()
	const writers, ids = 8, 5
	var group sync.WaitGroup
	for n := range writers {
		group.Go(func() {
			for round := range 10 {
				var drafts []Draft
				for i := range ids {
					drafts = append(drafts,
						draft(t, domain.Micros(round+1), fmt.Sprintf(`"id":"s%d","metadata":{"k%d-%d":1}`, (i+n)%ids, n, round)))
				}
				if refusals, err := w.Write(t.Context(), scope, drafts); errors.Join(append(refusals, err)...) != nil {
					t.Error(refusals, err)
				}
			}
		})
	}
	group.Wait()
	for i := range ids {
		if got := parseObject(w.read(t, fmt.Sprintf("s%d", i)).Metadata); len(got) != writers*10 {
			t.Errorf("score %d has %d of %d keys", i, len(got), writers*10)
		}
	}
}

func TestDelete(t *testing.T) {
	w := newWriter()
	w.write(t, draft(t, 5, `"id":"s","comment":"old"`), draft(t, 5, `"id":"t"`))
	if err := w.Delete(t.Context(), scope, []string{"s", "nope"}); err != nil {
		t.Fatal(err)
	}
	if w.read(t, "s").ID != "" || w.read(t, "t").ID == "" {
		t.Error("deleted too little or too much")
	}
	w.write(t, draft(t, 3, `"id":"s"`))
	if got := w.read(t, "s"); got.Comment != "" || got.EventAt != 3 {
		t.Errorf("a score that was deleted and written again is %+v", got)
	}
}

// TestStoredScoresTakeMemory merges a batch of short scores with long stored ones.
func TestStoredScoresTakeMemory(t *testing.T) {
	w := newWriter()
	const stored, long = 10, 50 << 10
	var again []Draft
	for n := range stored {
		id := fmt.Sprintf(`"id":"s%d"`, n)
		w.write(t, draft(t, 1, id, `"comment":"`+strings.Repeat("x", long)+`"`))
		again = append(again, draft(t, 2, id))
	}
	budget := memory.NewBudget(memory.Sizes{Shared: stored * long * 3 / 2}, 0)
	lease := budget.Lease("")
	if _, err := w.Write(memory.With(t.Context(), lease), scope, again); err != nil || budget.Held() < (stored-1)*long {
		t.Errorf("%d bytes are held for %d scores of %d: %v", budget.Held(), stored, long, err)
	}
	if _, err := w.Write(memory.With(t.Context(), budget.Lease("")), scope, again); !errors.Is(err, memory.ErrBusy) {
		t.Errorf("when others hold it: %v", err)
	}
}
