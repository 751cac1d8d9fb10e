package playground

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/llm"
)

// MaxRunBody is the maximum body size, in bytes, of a run. Files are sent by their ids.
const MaxRunBody = 4 << 20

// The limits of a run.
const (
	maxName      = 1000 // characters of names of connections, models and prompts
	maxMessages  = 500
	maxParts     = 100 // of one message
	maxToolCalls = 100 // of one message
	maxTools     = 128
	maxText      = 2 << 20 // characters
	maxStops     = 20
	maxStop      = 500
	maxExtra     = 64 << 10 // bytes
	maxSchema    = 256 << 10
	maxVariables = 200
	maxMedia     = 50
	maxTokens    = 10_000_000
	maxAddress   = 2000
)

// run is a run that somebody asks for.
type run struct {
	provider string
	request  llm.Request
	media    []mediaPart
	prompt   domain.PromptReference // no name: none
	// What the person says about the run, for its trace.
	variables map[string]string
	source    string // the observation that it was made from
	bytes     int64  // of the body
}

// mediaPart is a part of a message whose content is a stored file.
type mediaPart struct {
	message, part int
	id            string
	medium        domain.Medium // once it is found
}

var toolName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,128}$`)

const toolNameRule = "A name has up to 128 letters, digits, dots, underscores and hyphens"

// readRun reads the body of a run.
func readRun(body decode.Value) (*run, error) {
	b := body.Object()
	in := &run{provider: b.Field("connection").TextLen(1, maxName), bytes: int64(len(body.Raw()))}
	r := &in.request
	r.Model = b.Field("model").TextLen(1, maxName)
	r.Environment = domain.PlaygroundEnvironment
	for n, message := range b.Field("messages").ArrayLen(1, maxMessages) {
		r.Messages = append(r.Messages, in.readMessage(n, message))
	}
	r.Params = decode.NullishOr(b.Field("params"), readParams, llm.Params{})
	r.Tools = decode.NullishOr(b.Field("tools"), readTools, nil)
	r.ToolChoice = decode.NullishOr(b.Field("toolChoice"), readToolChoice, llm.ToolChoice{})
	r.Schema = decode.NullishOr(b.Field("responseSchema"), readSchema, nil)
	in.prompt = decode.NullishOr(b.Field("prompt"), readPrompt, domain.PromptReference{})
	in.variables = decode.NullishOr(b.Field("variables"), readVariables, nil)
	in.source = decode.NullishOr(b.Field("source"), readSource, "")
	b.Strict()
	if len(in.media) > maxMedia {
		body.Reject(decode.TooLong([]any{"messages"}, "array", maxMedia))
	}
	return in, b.Err()
}

func readText(v decode.Value) string { return endpoint.RejectNUL(v, v.TextLen(0, maxText)) }

func readShort(v decode.Value) string { return endpoint.RejectNUL(v, v.TextLen(1, maxName)) }

func (in *run) readMessage(n int, v decode.Value) llm.Message {
	o := v.Object()
	m := llm.Message{Role: llm.Role(o.Field("role").Enum(string(llm.System), string(llm.Developer), string(llm.User),
		string(llm.Assistant), string(llm.ToolRole)))}
	content := o.Field("content")
	switch content.Kind() {
	case "undefined", "null":
	case "array":
		for part, each := range content.ArrayLen(0, maxParts) {
			m.Parts = append(m.Parts, in.readPart(n, part, each))
		}
	default:
		m.Parts = []llm.Part{{Kind: llm.TextPart, Text: readText(content)}}
	}
	for _, each := range decode.NullishOr(o.Field("toolCalls"), func(v decode.Value) []decode.Value {
		return v.ArrayLen(0, maxToolCalls)
	}, nil) {
		c := each.Object()
		call := llm.ToolCall{
			ID: readShort(c.Field("id")), Name: readToolName(c.Field("name")), Arguments: json.RawMessage(readText(c.Field("arguments"))),
			Signature: decode.NullishOr(c.Field("signature"), readText, ""),
		}
		c.Strict()
		m.ToolCalls = append(m.ToolCalls, call)
	}
	m.ToolCallID = decode.NullishOr(o.Field("toolCallId"), readShort, "")
	m.ToolFailed = decode.NullishOr(o.Field("toolFailed"), decode.Value.Bool, false)
	o.Strict()
	return m
}

func (in *run) readPart(message, part int, v decode.Value) llm.Part {
	o := v.Object()
	p := llm.Part{Kind: llm.PartKind(o.Field("type").Enum(string(llm.TextPart), string(llm.ImagePart), string(llm.AudioPart),
		string(llm.FilePart)))}
	if p.Kind == llm.TextPart {
		p.Text = readText(o.Field("text"))
		o.Strict()
		return p
	}
	p.URL = decode.NullishOr(o.Field("url"), func(v decode.Value) string { return v.WebAddress(maxAddress) }, "")
	p.Name = decode.NullishOr(o.Field("name"), readShort, "")
	p.Detail = decode.NullishOr(o.Field("detail"), func(v decode.Value) string { return v.Enum("low", "high", "auto") }, "")
	id := decode.NullishOr(o.Field("mediaId"), readShort, "")
	if (id == "") == (p.URL == "") {
		v.Reject(decode.Violation(v.Path(), "A file is given by its mediaId or by its url"))
	}
	if id != "" {
		in.media = append(in.media, mediaPart{message: message, part: part, id: id})
	}
	o.Strict()
	return p
}

func readParams(v decode.Value) llm.Params {
	o := v.Object()
	number := func(name string, from, to float64) *float64 {
		return decode.Nullish(o.Field(name), func(v decode.Value) float64 { return v.Within(from, to) })
	}
	count := func(name string, from, to int) *int {
		return decode.Nullish(o.Field(name), func(v decode.Value) int { return v.IntWithin(from, to) })
	}
	p := llm.Params{
		Temperature: number("temperature", 0, 2), TopP: number("topP", 0, 1), TopK: count("topK", 1, maxTokens),
		MaxTokens: count("maxTokens", 1, maxTokens), FrequencyPenalty: number("frequencyPenalty", -2, 2),
		PresencePenalty: number("presencePenalty", -2, 2), ReasoningTokens: count("reasoningTokens", -1, maxTokens),
		Effort: decode.NullishOr(o.Field("effort"), func(v decode.Value) string {
			return v.Enum("none", "minimal", "low", "medium", "high", "xhigh", "max")
		}, ""),
	}
	if seed := decode.Nullish(o.Field("seed"), decode.Value.Int); seed != nil {
		p.Seed = new(int64(*seed))
	}
	for _, stop := range decode.NullishOr(o.Field("stop"), func(v decode.Value) []decode.Value { return v.ArrayLen(0, maxStops) }, nil) {
		p.Stop = append(p.Stop, stop.TextLen(1, maxStop))
	}
	p.Extra = decode.NullishOr(o.Field("extra"), readExtra, nil)
	o.Strict()
	return p
}

func readExtra(v decode.Value) (extra map[string]json.RawMessage) {
	if len(v.Raw()) > maxExtra {
		v.Reject(decode.TooLong(v.Path(), "object", maxExtra))
		return nil
	}
	if v.Object(); v.Kind() != "object" || json.Unmarshal(v.Raw(), &extra) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if llm.IsReserved(name) {
			v.Reject(decode.Violation(append(slices.Clone(v.Path()), name), llm.ReservedMessage(name)))
		}
	}
	return extra
}

func readToolName(v decode.Value) string {
	name := v.Text()
	if v.Kind() == "string" && !toolName.MatchString(name) {
		v.Reject(decode.Violation(v.Path(), toolNameRule))
	}
	return name
}

// readSchemaText reads a JSON Schema of an object.
func readSchemaText(v decode.Value) json.RawMessage {
	if v.Kind() != "object" {
		v.Object() // reports it
		return nil
	}
	if len(v.Raw()) > maxSchema {
		v.Reject(decode.TooLong(v.Path(), "object", maxSchema))
		return nil
	}
	return bytes.Clone(v.Raw())
}

func readTools(v decode.Value) (tools []llm.Tool) {
	names := make(map[string]bool)
	for _, each := range v.ArrayLen(0, maxTools) {
		o := each.Object()
		t := llm.Tool{
			Name: readToolName(o.Field("name")), Description: decode.NullishOr(o.Field("description"), readText, ""),
			Parameters: decode.NullishOr(o.Field("parameters"), readSchemaText, nil),
			Strict:     decode.NullishOr(o.Field("strict"), decode.Value.Bool, false),
		}
		o.Strict()
		if names[t.Name] {
			each.Reject(decode.Violation(each.Path(), "There is another tool with this name"))
		}
		names[t.Name] = true
		tools = append(tools, t)
	}
	return tools
}

func readToolChoice(v decode.Value) llm.ToolChoice {
	o := v.Object()
	c := llm.ToolChoice{Name: decode.NullishOr(o.Field("name"), readToolName, "")}
	switch mode := o.Field("mode").Enum("auto", "none", "required", "tool"); {
	case mode == "tool" && c.Name == "":
		v.Reject(decode.Violation(v.Path(), "Name the tool"))
	case mode != "auto":
		c.Mode = llm.ToolMode(mode)
	}
	o.Strict()
	return c
}

func readSchema(v decode.Value) *llm.Schema {
	o := v.Object()
	s := &llm.Schema{
		Name:        decode.NullishOr(o.Field("name"), readToolName, ""),
		Description: decode.NullishOr(o.Field("description"), readText, ""), JSON: readSchemaText(o.Field("schema")),
	}
	o.Strict()
	return s
}

func readPrompt(v decode.Value) domain.PromptReference {
	o := v.Object()
	p := domain.PromptReference{Name: readShort(o.Field("name")), Version: o.Field("version").IntWithin(1, 1<<31-1)}
	o.Strict()
	return p
}

var variableName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,199}$`)

func readVariables(v decode.Value) map[string]string {
	o := v.Object()
	names := o.Names()
	if len(names) > maxVariables {
		v.Reject(decode.TooLong(v.Path(), "object", maxVariables))
		return nil
	}
	values := make(map[string]string, len(names))
	for _, name := range names {
		if !variableName.MatchString(name) {
			v.Reject(decode.Violation(v.Path(), "A variable is named with letters, digits and underscores, and begins with a letter"))
			return nil
		}
		values[name] = readText(o.Field(name))
	}
	return values
}

func readSource(v decode.Value) string { return readShort(v) }
