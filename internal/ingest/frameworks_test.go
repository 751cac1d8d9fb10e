package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

var updateFrameworks = flag.Bool("update-frameworks", false, "write what is stored as what is expected; to be read before it is committed")

// frameworkRow holds the fields of a span that users want to see.
type frameworkRow struct {
	Name             string          `json:"name"`
	Type             string          `json:"type"`
	Parent           string          `json:"parent,omitempty"`
	Level            string          `json:"level,omitempty"`
	StatusMessage    string          `json:"statusMessage,omitempty"`
	Model            string          `json:"model,omitempty"`
	ModelParameters  json.RawMessage `json:"modelParameters,omitempty"`
	Input            json.RawMessage `json:"input,omitempty"`
	Output           json.RawMessage `json:"output,omitempty"`
	Usage            json.RawMessage `json:"usage,omitempty"`
	TotalTokens      *int64          `json:"totalTokens,omitempty"`
	Cost             json.RawMessage `json:"cost,omitempty"`
	ToolNames        []string        `json:"toolNames,omitempty"`
	CalledToolNames  []string        `json:"calledToolNames,omitempty"`
	ToolCalls        []any           `json:"toolCalls,omitempty"`
	TimeToFirstToken string          `json:"timeToFirstToken,omitempty"`
	TraceName        string          `json:"traceName,omitempty"`
	UserID           string          `json:"userId,omitempty"`
	SessionID        string          `json:"sessionId,omitempty"`
	Tags             []string        `json:"tags,omitempty"`
}

// TestFrameworks ingests real exports of libraries, as captured by test/capture, and compares the stored fields of each
// span with the expected ones.
func TestFrameworks(t *testing.T) {
	files, err := filepath.Glob("testdata/frameworks/*.rows.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d fixtures, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".rows.json")
		t.Run(name, func(t *testing.T) {
			got := frameworkRows(t, strings.TrimSuffix(file, ".rows.json")+".json")
			if *updateFrameworks {
				writeFrameworkRows(t, file, got)
			}
			var want []frameworkRow
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			compact := cmp.Transformer("compact", func(raw json.RawMessage) string {
				var b bytes.Buffer
				if len(raw) == 0 || json.Compact(&b, raw) != nil {
					return string(raw)
				}
				return b.String()
			})
			if diff := cmp.Diff(want, got, compact); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

// frameworkRows ingests an export and returns the stored rows.
func frameworkRows(t *testing.T, file string) []frameworkRow {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []frameworkRow
	b := newBench(t, func(o *Options) {
		o.Table = appendFunc(func(stored []domain.Observation) {
			names := map[string]string{}
			for i := range stored {
				names[stored[i].ID] = strings.Clone(stored[i].Name)
			}
			for i := range stored {
				rows = append(rows, frameworkRowOf(t, stored[i].Sent(), names)) // without what the trace hands down
			}
		})
	})
	result, err := b.send(t, string(text), nil)
	if err != nil || result.Message != "" || result.Spans == 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	return rows
}

// appendFunc is a table that passes rows to a function, which must not retain their strings.
type appendFunc func([]domain.Observation)

func (f appendFunc) Append(_ context.Context, _ domain.ProjectScope, rows []domain.Observation) error {
	f(rows)
	return nil
}

func frameworkRowOf(t *testing.T, o *domain.Observation, names map[string]string) frameworkRow {
	t.Helper()
	text := strings.Clone
	row := frameworkRow{
		Name: text(o.Name), Type: text(o.Type), Parent: names[o.ParentID], StatusMessage: text(o.StatusMessage), Model: text(o.Model),
		ModelParameters: rawOf(o.ModelParameters), Input: rawOf(o.Input), Output: rawOf(o.Output), Usage: rawOf(o.Usage),
		Cost:      rawOf(o.Cost),
		ToolNames: textsOf(o.ToolNames), CalledToolNames: textsOf(o.ToolCallNames), Tags: textsOf(o.Tags),
		TraceName: text(o.TraceName), UserID: text(o.UserID), SessionID: text(o.SessionID),
	}
	if o.Level != "DEFAULT" {
		row.Level = text(o.Level)
	}
	if o.TotalTokens.Set {
		row.TotalTokens = new(o.TotalTokens.Value)
	}
	if o.CompletionStartTime != 0 {
		row.TimeToFirstToken = o.CompletionStartTime.Time().Sub(o.StartTime.Time()).String()
	}
	if o.ToolCalls != "" {
		var calls []string
		if err := json.Unmarshal([]byte(o.ToolCalls), &calls); err != nil {
			t.Fatal(err)
		}
		for _, call := range calls {
			var value any
			if err := json.Unmarshal([]byte(call), &value); err != nil {
				t.Fatal(err)
			}
			row.ToolCalls = append(row.ToolCalls, value)
		}
	}
	return row
}

func textsOf(list []string) (copied []string) {
	for _, text := range list {
		copied = append(copied, strings.Clone(text))
	}
	return copied
}

// rawOf returns JSON as it is, and other text as a JSON string.
func rawOf(text string) json.RawMessage {
	if text == "" || json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return quoted
}

func writeFrameworkRows(t *testing.T, file string, rows []frameworkRow) {
	t.Helper()
	// One line per field.
	b := []byte("[")
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		var row bytes.Buffer
		e := json.NewEncoder(&row)
		e.SetEscapeHTML(false)
		if err := e.Encode(rows[i]); err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(&row)
		for n, separator := 0, "\n{\n "; ; n, separator = n+1, ",\n " {
			token, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			if token == json.Delim('}') {
				break
			}
			name, isName := token.(string)
			if !isName {
				continue
			}
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
			if n == 1 {
				separator = "\n{\n "
			}
			b = fmt.Appendf(b, "%s%q: %s", separator, name, value)
		}
		b = append(b, "\n}"...)
	}
	if err := os.WriteFile(file, append(b, "\n]\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
}
