package llm

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/jsonschema"
)

// maxCandidates is how many places of a text are tried as the beginning of an answer.
const maxCandidates = 50

var thoughts = regexp.MustCompile(`(?s)<think(?:ing)?>.*?</think(?:ing)?>`)

// findAnswer returns the JSON in a text that is valid for a schema, or what is wrong with the best of what is there. Models
// write thoughts and fences around it, numbers as text and labels in another case.
func findAnswer(text string, schema *jsonschema.Schema, source json.RawMessage) (json.RawMessage, string) {
	text = strings.TrimSpace(thoughts.ReplaceAllString(text, ""))
	if _, after, ok := strings.Cut(text, "</think>"); ok { // the beginning is in the template of the prompt
		text = strings.TrimSpace(after)
	}
	problem := noJSON
	form, loose := shapeOf(source, 0), &loosener{maxComparisons}
	for _, candidate := range candidates(text, isObjectSchema(source)) {
		violations := schema.Validate(candidate)
		if len(violations) == 0 {
			return candidate, ""
		}
		if other := loose.loosened(candidate, form); other != nil && len(schema.Validate(other)) == 0 {
			return other, ""
		}
		if problem == noJSON {
			problem = describe(violations)
		}
	}
	return nil, problem
}

func describe(violations []jsonschema.Violation) string {
	var texts []string
	for _, v := range violations[:min(len(violations), maxViolations)] {
		at := v.Path
		if at == "" {
			at = "the value"
		}
		texts = append(texts, at+" "+v.Message)
	}
	return strings.Join(texts, "; ") + "."
}

// candidates returns the JSON values in a text, the likeliest first: the whole text, then the objects and lists in it.
func candidates(text string, objects bool) []json.RawMessage {
	var found []json.RawMessage
	add := func(part string) bool {
		if decode.CheckJSON([]byte(part)) != nil {
			return false
		}
		found = append(found, json.RawMessage(part))
		return true
	}
	if add(text) && !objects {
		return found
	}
	tries := 0
	for at := 0; at < len(text) && tries < maxCandidates; {
		n := strings.IndexAny(text[at:], "{[")
		if n < 0 {
			break
		}
		at += n
		tries++
		var value json.RawMessage
		reader := json.NewDecoder(strings.NewReader(text[at:]))
		if reader.Decode(&value) != nil || !add(string(value)) {
			at++
			continue
		}
		at += int(reader.InputOffset())
	}
	if len(found) == 0 && !objects { // a bare word or number
		bare := strings.Trim(text, "`\"' \n.")
		if !add(bare) {
			add(strconv.Quote(bare))
		}
	}
	return found
}

// isObjectSchema reports whether a schema is of objects.
func isObjectSchema(schema json.RawMessage) bool {
	var s struct {
		Type json.RawMessage `json:"type"`
	}
	return json.Unmarshal(schema, &s) == nil && string(s.Type) == `"object"`
}

// shape is what is needed of a schema to forgive how a model wrote a value. It is nil for a schema that is not understood.
type shape struct {
	kind       string
	labels     []string
	properties map[string]*shape
	items      *shape
}

const (
	// deepestShape is how deep a schema is looked at.
	deepestShape = 50
	// maxComparisons is how many labels are compared with the texts of an answer. Answers are as long as a provider likes.
	maxComparisons = 1 << 20
)

// shapeOf reads a schema once for all values: an answer can have millions.
func shapeOf(schema json.RawMessage, depth int) *shape {
	var s struct {
		Type       json.RawMessage            `json:"type"`
		Enum       []any                      `json:"enum"`
		Properties map[string]json.RawMessage `json:"properties"`
		Items      json.RawMessage            `json:"items"`
	}
	if depth > deepestShape || json.Unmarshal(schema, &s) != nil {
		return nil
	}
	read := &shape{kind: string(s.Type), items: shapeOf(s.Items, depth+1)}
	for _, label := range s.Enum {
		if text, ok := label.(string); ok {
			read.labels = append(read.labels, text)
		}
	}
	for name, of := range s.Properties {
		if inner := shapeOf(of, depth+1); inner != nil {
			if read.properties == nil {
				read.properties = make(map[string]*shape, len(s.Properties))
			}
			read.properties[name] = inner
		}
	}
	return read
}

// loosener loosens the values of one answer.
type loosener struct{ comparisons int } // that are left

// loosened returns a value with numbers that were written as text and labels in another case as the schema wants them; nil
// if it cannot be read.
func (l *loosener) loosened(text json.RawMessage, s *shape) json.RawMessage {
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.UseNumber()
	var value any
	if reader.Decode(&value) != nil {
		return nil
	}
	out, err := marshal(l.loosen(value, s))
	if err != nil {
		return nil
	}
	return out
}

func (l *loosener) loosen(value any, s *shape) any {
	if s == nil {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if of := s.properties[name]; of != nil {
				v[name] = l.loosen(inner, of)
			}
		}
	case []any:
		for n := range v {
			v[n] = l.loosen(v[n], s.items)
		}
	case string:
		return l.loosenText(v, s)
	}
	return value
}

func (l *loosener) loosenText(text string, s *shape) any {
	clean := strings.TrimSpace(text)
	if l.comparisons -= len(s.labels); l.comparisons < 0 {
		return text
	}
	for _, label := range s.labels {
		if strings.EqualFold(label, clean) {
			return label
		}
	}
	switch s.kind {
	case `"number"`, `"integer"`:
		if number := json.Number(clean); isNumber(clean) {
			return number
		}
	case `"boolean"`:
		if strings.EqualFold(clean, "true") || strings.EqualFold(clean, "false") {
			return strings.EqualFold(clean, "true")
		}
	}
	return text
}

// isNumber reports whether a text is a JSON number.
func isNumber(text string) bool {
	return text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid([]byte(text))
}
