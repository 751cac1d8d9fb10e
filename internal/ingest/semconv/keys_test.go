package semconv

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/ingest/otlp"
)

// TestKeys checks that every name has one key. A name that occurs twice leaves a key without a name.
func TestKeys(t *testing.T) {
	named := map[key]bool{}
	for _, m := range meanings {
		named[m.key] = true
	}
	if len(named) != int(keyCount) || named[keyNone] {
		t.Errorf("%d of %d keys have a name", len(named), keyCount)
	}
}

func TestMeaningOf(t *testing.T) {
	for _, c := range []struct {
		name string
		want meaning
		rest string
	}{
		{"langfuse.observation.type", meaning{key: keyType}, ""},
		{"almanac.observation.type", meaning{key: keyType, alias: true}, ""},
		{"user.id", meaning{key: keyPlainUserID}, ""},
		{"langfuse.observation.input", meaning{key: keyInput, use: content}, ""},
		{"langfuse.observation.metadata.a.b", meaning{family: observationMetadata, use: content}, "a.b"},
		{"almanac.trace.metadata.", meaning{family: traceMetadata, use: content, alias: true}, ""},
		{"langfuse.metadata.x", meaning{family: plainMetadata}, "x"},
		{"langfuse.experiment.metadata.x", meaning{family: experimentMetadata}, "x"},
		{"langfuse.experiment.item.metadata.x", meaning{family: itemMetadata}, "x"},
		{
			"langfuse.observation.metadata.langfuse_tags",
			meaning{key: keyMetadataTags, family: observationMetadata, use: content},
			"langfuse_tags",
		},
		{"ai.telemetry.metadata.userId", meaning{key: keyVercelUserID, family: vercelMetadata, use: content}, "userId"},
		{"gen_ai.usage.input_tokens", meaning{key: keyGenAIInputTokens, family: usageCounts}, "input_tokens"},
		{"gen_ai.usage.other", meaning{family: usageCounts}, "other"},
		{"llm.token_count.prompt", meaning{family: usageCounts}, "prompt"},
		{"gen_ai.request.top_p", meaning{family: requestParameters}, "top_p"},
		{"llm.invocation_parameters.top_p", meaning{family: requestParameters}, "top_p"},
		{"gen_ai.prompt.0.role", meaning{family: promptParts, use: content}, "0.role"},
		{"gen_ai.completion.0.role", meaning{family: completionParts, use: content}, "0.role"},
		{"llm.input_messages.0.x", meaning{family: inputMessageParts, use: content}, "0.x"},
		{"llm.output_messages.0.x", meaning{family: outputMessageParts, use: content}, "0.x"},
		{"llm.tools.0.tool.json_schema", meaning{family: toolSchemas}, "0.tool.json_schema"},
		// A family ends with a dot: these are ordinary names.
		{"gen_ai.prompt_name", meaning{}, ""},
		{"langfuse.observation.metadataX", meaning{}, ""},
		{"langfuse.unheard.of", meaning{}, ""},
		{"http.method", meaning{}, ""},
		{"", meaning{}, ""},
	} {
		got := meaningOf(c.name)
		rest := ""
		if got.family != noFamily {
			rest = c.name[got.rest:]
		}
		got.rest, c.want.alias = 0, c.want.alias || strings.HasPrefix(c.name, services[1])
		if got != c.want || rest != c.rest {
			t.Errorf("%s: %+v rest %q, want %+v rest %q", c.name, got, rest, c.want, c.rest)
		}
	}
}

func TestResolve(t *testing.T) {
	many := []any{}
	for i := range 200 {
		many = append(many, fmt.Sprint("n", i), i)
	}
	many = append(many, "n7", 1007, "n199", 1199)
	for _, c := range []struct {
		name  string
		pairs []any
		key   key
		want  any   // value of the key
		list  []any // names and values
	}{
		{"last of a repeated name", []any{"model", "a", "x", 1, "model", "b"}, keyPlainModel, "b", []any{"model", "b", "x", 1}},
		{"last of an unknown name", []any{"x", 1, "y", 2, "x", 3}, keyNone, nil, []any{"x", 3, "y", 2}},
		{"alias alone", []any{"almanac.release", "a"}, keyRelease, "a", []any{"almanac.release", "a"}},
		{
			"last of a repeated alias",
			[]any{"almanac.release", "a", "almanac.release", "b"},
			keyRelease, "b",
			[]any{"almanac.release", "b"},
		},
		{
			"first service wins, before",
			[]any{"langfuse.release", "a", "almanac.release", "b"},
			keyRelease, "a",
			[]any{"langfuse.release", "a", "almanac.release", "b"},
		},
		{
			"first service wins, behind",
			[]any{"almanac.release", "b", "langfuse.release", "a"},
			keyRelease, "a",
			[]any{"almanac.release", "b", "langfuse.release", "a"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var a attrs
			a.resolve(attributes("model", "left over", "langfuse.release", "left over"))
			a.resolve(attributes(c.pairs...))
			if c.key != keyNone {
				if diff := cmp.Diff(val(c.want), *a.at(c.key)); diff != "" {
					t.Error(diff)
				}
			}
			var list []otlp.Attribute
			for _, x := range a.list {
				list = append(list, otlp.Attribute{Key: x.name, Value: *x.value})
			}
			if diff := cmp.Diff(attributes(c.list...), list); diff != "" {
				t.Error(diff)
			}
		})
	}
	var a attrs
	a.resolve(attributes(many...))
	if len(a.list) != 200 || a.list[7].value.Int != 1007 || a.list[199].value.Int != 1199 {
		t.Errorf("of many: %d, %v, %v", len(a.list), a.list[7].value, a.list[199].value)
	}
}

func TestNameIndex(t *testing.T) {
	var x nameIndex
	for round := range 3 {
		n := []int{10, 500, 70}[round]
		for i := range n {
			if x.find(strconv.Itoa(i)) >= 0 {
				t.Fatalf("%d is there before it was added", i)
			}
			x.add(strconv.Itoa(i))
		}
		for i := range n {
			if got := x.find(strconv.Itoa(i)); got != i {
				t.Fatalf("%d is at %d", i, got)
			}
		}
		if n > 100 {
			x.truncate(100)
			if x.find("99") != 99 || x.find("100") >= 0 {
				t.Fatal("truncate kept the wrong names of many")
			}
		}
		x.truncate(5)
		if x.find("4") != 4 || x.find("5") >= 0 || x.find("9") >= 0 {
			t.Fatal("truncate kept the wrong names")
		}
		x.add("5")
		if x.find("5") != 5 {
			t.Fatal("a name cannot be added again")
		}
		x.reset()
		if x.find("0") >= 0 {
			t.Fatal("reset kept a name")
		}
	}
	for i := range 2 * keptIndexNames {
		x.find(strconv.Itoa(i))
		x.add(strconv.Itoa(i))
	}
	if x.find("17") != 17 {
		t.Error("not found among many")
	}
	if x.reset(); cap(x.names) != 0 || x.index != nil {
		t.Error("the memory of a large list is kept")
	}
	x.add("")
	if x.find("") != 0 {
		t.Error("the empty name is not found")
	}
}
