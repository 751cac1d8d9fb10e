package scores

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
)

// TestMerge covers what the contract says about two writes with one id: in the order of their times, in reverse order,
// and in one batch.
func TestMerge(t *testing.T) {
	const first, second = 1_000_000, 2_000_000
	cases := []struct {
		name   string
		first  string
		second string
		got    func(domain.Score) any
		want   any
		// late is the result if the first write arrives last, where it differs for lack of information.
		late any
	}{
		{"timestamp of the first", ``, ``, func(s domain.Score) any { return s.Timestamp }, domain.Micros(first), nil},
		{"newest write", ``, ``, func(s domain.Score) any { return s.EventAt }, domain.Micros(second), nil},
		{"environment of the first", `"environment":"a"`, `"environment":"b"`, func(s domain.Score) any { return s.Environment }, "a", nil},
		{"trace of the first", `"traceId":"t1"`, `"traceId":"t2"`, func(s domain.Score) any { return s.TraceID }, "t1", nil},
		{
			"no trace is gained", `"traceId":"","sessionId":"s"`, `"traceId":"t2"`,
			func(s domain.Score) any { return s.TraceID + "/" + s.SessionID }, "/s", nil,
		},
		{"name of the last", `"name":"a"`, `"name":"b"`, func(s domain.Score) any { return s.Name }, "b", nil},
		{"value of the last", `"value":1`, `"value":2`, func(s domain.Score) any { return s.Value.Value }, 2.0, nil},
		{"type of the last", `"value":1`, `"value":"x"`, func(s domain.Score) any {
			return s.DataType + s.StringValue + strconv.FormatBool(s.Value.Set)
		}, "CATEGORICALxfalse", nil},
		{"source of the last", `"source":"EVAL"`, ``, func(s domain.Score) any { return s.Source }, "API", nil},
		{"queue of the last", `"queueId":"a"`, `"queueId":"b"`, func(s domain.Score) any { return s.QueueID }, "b", nil},
		{"no queue clears it", `"queueId":"a"`, ``, func(s domain.Score) any { return s.QueueID }, "", nil},
		{"comment kept", `"comment":"a"`, ``, func(s domain.Score) any { return s.Comment }, "a", nil},
		{"comment replaced", `"comment":"a"`, `"comment":"b"`, func(s domain.Score) any { return s.Comment }, "b", nil},
		{"comment cleared", `"comment":"a"`, `"comment":null`, func(s domain.Score) any { return s.Comment }, "", "a"},
		{"config kept", `"configId":"c"`, ``, func(s domain.Score) any { return s.ConfigID }, "c", nil},
		{"config cleared", `"configId":"c"`, `"configId":null`, func(s domain.Score) any { return s.ConfigID }, "", "c"},
		{
			"observation replaced", `"observationId":"a"`, `"observationId":"b"`, func(s domain.Score) any { return s.ObservationID }, "b",
			nil,
		},
		{"observation kept", `"observationId":"a"`, ``, func(s domain.Score) any { return s.ObservationID }, "a", nil},
		{
			"session kept", `"traceId":"","sessionId":"a"`, `"traceId":"","datasetRunId":"r"`,
			func(s domain.Score) any { return s.SessionID + s.ExperimentID }, "ar", nil,
		},
		{
			"run replaced", `"traceId":"","datasetRunId":"a"`, `"traceId":"","datasetRunId":"b"`,
			func(s domain.Score) any { return s.ExperimentID }, "b", nil,
		},
		{"execution trace kept", `"executionTraceId":"a"`, ``, func(s domain.Score) any { return s.ExecutionTraceID }, "a", nil},
		{
			"metadata merged", `"metadata":{"a":{"x":1},"b":1}`, `"metadata":{"a":{"y":2},"b":2}`,
			func(s domain.Score) any { return s.Metadata }, `{"a":{"x":1,"y":2},"b":2}`, nil,
		},
		{
			"empty metadata change nothing", `"metadata":{"a":1}`, `"metadata":{}`, func(s domain.Score) any { return s.Metadata },
			`{"a":1}`, nil,
		},
	}
	config := domain.ScoreConfig{ID: "c", Name: "n", DataType: "NUMERIC"}
	for _, c := range cases {
		a, b := `"id":"s"`, `"id":"s"`
		if c.first != "" {
			a += "," + c.first
		}
		if c.second != "" {
			b += "," + c.second
		}
		late := c.want
		if c.late != nil {
			late = c.late
		}
		t.Run(c.name, func(t *testing.T) {
			earlier, later := func() Draft { return draft(t, first, a) }, func() Draft { return draft(t, second, b) }
			for _, order := range []struct {
				name    string
				batches [][]Draft
				want    any
			}{
				{"in order", [][]Draft{{earlier()}, {later()}}, c.want},
				{"at once", [][]Draft{{earlier(), later()}}, c.want},
				{"at once, the wrong way round", [][]Draft{{later(), earlier()}}, c.want},
				{"late", [][]Draft{{later()}, {earlier()}}, late},
			} {
				w := newWriter(config)
				for _, batch := range order.batches {
					w.write(t, batch...)
				}
				if got := c.got(w.read(t, "s")); got != order.want {
					t.Errorf("%s: %v, want %v", order.name, got, order.want)
				}
			}
		})
	}
}

func TestWritesOfOneMoment(t *testing.T) {
	w := newWriter()
	w.write(t, draft(t, 5, `"id":"s","value":1`), draft(t, 5, `"id":"s","value":2`))
	w.write(t, draft(t, 5, `"id":"s","value":3`))
	if got := w.read(t, "s").Value.Value; got != 3 {
		t.Errorf("of writes of one moment the value %v counts, not the last", got)
	}
}

// TestClockIsSetBack writes again after the clock went back: of writes without a time, the last to arrive wins. A write
// with a time is put where it belongs, and one without a time in the same request is newer.
func TestClockIsSetBack(t *testing.T) {
	received := func(at domain.Micros, members string) Draft {
		d := draft(t, at, members)
		d.Received = true
		return d
	}
	w := newWriter()
	w.write(t, received(9000, `"id":"s","value":1,"comment":"first"`))
	w.write(t, received(4000, `"id":"s","value":2`))
	if got := w.read(t, "s"); got.Value.Value != 2 || got.Comment != "first" || got.Timestamp != 9000 || got.EventAt != 9000 {
		t.Errorf("after a write at an earlier time there is %+v", got)
	}
	w.write(t, received(3000, `"id":"s","value":5`), draft(t, 5000, `"id":"s","value":4`))
	if got := w.read(t, "s"); got.Value.Value != 5 || got.Timestamp != 5000 {
		t.Errorf("after two writes, one of which says that it is older, there is %+v", got)
	}
}

// TestRowsWithoutNewestWrite merges with a row that does not say when its newest write was made.
func TestRowsWithoutNewestWrite(t *testing.T) {
	w := newWriter()
	if err := w.Table.Append(t.Context(), scope, []domain.Score{
		{ID: "s", Timestamp: 5000, Name: "stored", CreatedAt: 7, AuthorUserID: "u"},
	}); err != nil {
		t.Fatal(err)
	}
	w.write(t, draft(t, 4000, `"id":"s","name":"older"`))
	if got := w.read(t, "s"); got.Name != "stored" || got.Timestamp != 4000 || got.CreatedAt != 7 || got.AuthorUserID != "u" {
		t.Errorf("%+v", got)
	}
}

// oracle is a naive implementation of the rules: all writes of an id, sorted by time, applied one by one.
func oracle(drafts []Draft) domain.Score {
	drafts = slices.Clone(drafts)
	slices.SortStableFunc(drafts, func(a, b Draft) int { return cmp.Compare(a.At, b.At) })
	var s domain.Score
	metadata := map[string]any{}
	for n, d := range drafts {
		if n == 0 {
			s.ID, s.Timestamp, s.Environment, s.TraceID = d.ID, d.At, d.Environment, d.TraceID
		}
		s.EventAt, s.Name, s.Source, s.QueueID = d.At, d.Name, d.Source, d.QueueID
		s.Value, s.StringValue, s.DataType = domain.FloatOf(d.Number), "", "NUMERIC"
		if d.IsText {
			s.Value, s.StringValue, s.DataType = domain.OptFloat{}, d.Text, "CATEGORICAL"
		}
		for _, field := range []struct {
			change Change
			text   *string
		}{{d.ObservationID, &s.ObservationID}, {d.SessionID, &s.SessionID}, {d.ExperimentID, &s.ExperimentID}, {d.Comment, &s.Comment}} {
			if field.change.Sent {
				*field.text = field.change.Text
			}
		}
		for key, value := range parseObject(d.Metadata) {
			inner, ok := value.(map[string]any)
			before, both := metadata[key].(map[string]any)
			if ok && both {
				maps.Copy(before, inner)
				continue
			}
			metadata[key] = value
		}
	}
	if len(metadata) > 0 {
		s.Metadata = writeObject(metadata)
	}
	return s
}

// drawDraft draws a write. With clears, it may clear strings, and a metadata key may be an object in one write and a
// number in another.
func drawDraft(t *rapid.T, at domain.Micros, clears bool) Draft {
	pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	change := func(label string) Change {
		texts := []string{"-", "a", "b"}
		if clears {
			texts = append(texts, "")
		}
		if text := pick(label, texts...); text != "-" {
			return Change{text, true}
		}
		return Change{}
	}
	d := Draft{
		ID: "s", At: at, Name: pick("name", "n1", "n2"), Source: pick("source", "API", "EVAL"),
		Environment: pick("environment", "e1", "e2"),
		TraceID:     pick("trace", "", "t1", "t2"), QueueID: pick("queue", "", "q"), ObservationID: change("observation"),
		SessionID:    change("session"),
		ExperimentID: change("run"), Comment: change("comment"),
	}
	if d.IsText = rapid.Bool().Draw(t, "text"); d.IsText {
		d.Text = pick("value", "x", "y")
	} else {
		d.Number = rapid.Float64Range(-3, 3).Draw(t, "value")
	}
	metadata := map[string]any{}
	for _, key := range []string{"a", "b"} {
		if rapid.Bool().Draw(t, "has "+key) {
			metadata[key] = json.Number(pick("number", "1", "2", "3"))
		}
	}
	if rapid.Bool().Draw(t, "has o") {
		metadata["o"] = map[string]any{pick("inner", "x", "y"): json.Number(pick("number", "1", "2"))}
	}
	if clears && rapid.Bool().Draw(t, "conflict") {
		metadata["o"] = json.Number("9")
	}
	if len(metadata) > 0 {
		d.Metadata = writeObject(metadata)
	}
	return d
}

// drawDrafts draws writes with distinct times, each in its own millisecond.
func drawDrafts(t *rapid.T, least, most int, clears bool) []Draft {
	drafts := make([]Draft, rapid.IntRange(least, most).Draw(t, "writes"))
	for n := range drafts {
		drafts[n] = drawDraft(t, domain.Micros(n+1)*1000, clears)
	}
	return drafts
}

// arrive writes drafts in batches of random sizes and returns the score without the fields that depend on the clock.
func arrive(t *testing.T, r *rapid.T, drafts []Draft) domain.Score {
	w := newWriter()
	for rest := slices.Clone(drafts); len(rest) > 0; {
		size := rapid.IntRange(1, len(rest)).Draw(r, "batch")
		w.write(t, rest[:size]...)
		rest = rest[size:]
	}
	s := w.read(t, "s")
	s.CreatedAt, s.UpdatedAt = 0, 0
	if s.Metadata != "" {
		s.Metadata = writeObject(parseObject(s.Metadata)) // with sorted keys
	}
	return s
}

func compareScores(t *rapid.T, want, got domain.Score) {
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("not what the writes give in the order of their times (-want +got): %s", diff)
	}
}

// TestMergeInOrder checks that writes that arrive in the order of their times, in any batches, match the oracle
// exactly.
func TestMergeInOrder(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		drafts := drawDrafts(r, 1, 6, true)
		compareScores(r, oracle(drafts), arrive(t, r, drafts))
	})
}

// TestMergeOneBatch checks the same for writes of one batch in any order.
func TestMergeOneBatch(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		drafts := rapid.Permutation(drawDrafts(r, 1, 6, true)).Draw(r, "order")
		w := newWriter()
		w.write(t, slices.Clone(drafts)...)
		s := w.read(t, "s")
		s.CreatedAt, s.UpdatedAt = 0, 0
		if s.Metadata != "" {
			s.Metadata = writeObject(parseObject(s.Metadata))
		}
		compareScores(r, oracle(drafts), s)
	})
}

// TestMergeAgainstOrder checks the same for writes that arrive newest first, as long as nothing is cleared.
func TestMergeAgainstOrder(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		drafts := drawDrafts(r, 1, 6, false)
		slices.Reverse(drafts)
		compareScores(r, oracle(drafts), arrive(t, r, drafts))
	})
}

// TestMergeAnyOrder checks that, in any order, fields decided by the first or the last write are right, and nothing is
// made up.
func TestMergeAnyOrder(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		drafts := rapid.Permutation(drawDrafts(r, 1, 6, true)).Draw(r, "order")
		want, got := oracle(drafts), arrive(t, r, drafts)
		for _, comment := range drafts {
			if comment.Comment.Text == got.Comment {
				got.Comment = want.Comment
			}
		}
		want.ObservationID, want.SessionID, want.ExperimentID, want.Metadata = got.ObservationID, got.SessionID, got.ExperimentID,
			got.Metadata
		compareScores(r, want, got)
	})
}
