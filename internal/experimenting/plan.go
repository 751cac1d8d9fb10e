package experimenting

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/llm"
)

// Limits of an experiment.
const (
	// MaxCalls is the maximum number of calls of an experiment: items × repetitions.
	MaxCalls = 10_000
	// MaxRepetitions is how often each item can be repeated.
	MaxRepetitions = 20
	// MaxConcurrency is the maximum number of calls in progress of an experiment.
	MaxConcurrency = 16
	// maxRequest is the maximum size, in bytes, of the messages that are sent for an item.
	maxRequest = 4 << 20
	// messageSize is what a message takes besides its text.
	messageSize = 256
	// maxQuoted is the number of characters of a name in a message.
	maxQuoted = 100
)

// Plan says what is done with each item of a dataset. It is stored with the experiment, so that what changes later, such as
// the prompts that its messages refer to, does not change the experiment.
type Plan struct {
	Messages    []domain.PromptMessage `json:"messages"`
	Params      llm.Params             `json:"params"`
	Repetitions int                    `json:"repetitions"`
	Concurrency int                    `json:"concurrency"`
	Checks      Checks                 `json:"checks"`
}

// Messages returns the messages of a prompt whose references are resolved.
func Messages(p *domain.Prompt) []domain.PromptMessage {
	if p.Type == domain.PromptText {
		return []domain.PromptMessage{{Role: string(llm.User), Content: p.Text}}
	}
	return p.Messages
}

// variable is a variable in a text, as in the playground.
var variable = regexp.MustCompile(`\{\{\s*([A-Za-z]\w*)\s*\}\}`)

// wholeInput is the variable that stands for the whole input, unless the input has a member with this name.
const wholeInput = "input"

// ItemError means that no request can be made of an item. The text is shown to people.
type ItemError struct{ Message string }

func (e *ItemError) Error() string { return e.Message }

func unusable(format string, args ...any) error { return &ItemError{fmt.Sprintf(format, args...)} }

// values are what the variables of messages stand for, by item.
type values struct {
	whole   string
	members map[string]json.RawMessage // nil unless the input is an object
	only    string                     // the only variable of the messages: it can stand for an input that is no object
	lists   map[string][]domain.PromptMessage
}

// fill returns the messages for an item. Members of the input are variables; texts stand for themselves, other values for
// their JSON. Without variables, the input follows the messages.
func (p *Plan) fill(item *domain.DatasetItem) ([]llm.Message, error) {
	if item.Input == nil {
		return nil, unusable("The item has no input")
	}
	names, placeholders := p.names()
	v := values{whole: plainText(item.Input), lists: make(map[string][]domain.PromptMessage)}
	if item.Input[0] == '{' && json.Unmarshal(item.Input, &v.members) != nil {
		return nil, unusable("The input of the item cannot be read")
	}
	if len(names) == 1 && placeholders == 0 {
		v.only = names[0]
	}
	if missing := v.missing(names); len(missing) > 0 {
		return nil, unusable("The input of the item has no %s", quoted(missing))
	}
	var (
		messages []llm.Message
		size     int
	)
	add := func(role, text string) error {
		if size += messageSize + len(text); size > maxRequest {
			return unusable("The messages for the item are longer than %d MB", maxRequest>>20)
		}
		messages = append(messages, llm.Text(roleOf(role), text))
		return nil
	}
	for _, m := range p.Messages {
		if m.Placeholder != "" {
			inserted, err := v.messages(m.Placeholder)
			if err != nil {
				return nil, err
			}
			for _, each := range inserted {
				if err := add(each.Role, each.Content); err != nil {
					return nil, err
				}
			}
			continue
		}
		text, err := v.filled(m.Content)
		if err == nil {
			err = add(m.Role, text)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(names) == 0 && placeholders == 0 {
		if err := add(string(llm.User), v.whole); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(messages, func(m llm.Message) bool { return m.Parts[0].Text != "" }) {
		return nil, unusable("The messages for the item are empty")
	}
	return messages, nil
}

// names returns the variables of the messages, and the number of placeholders.
func (p *Plan) names() (names []string, placeholders int) {
	known := make(map[string]bool)
	for _, m := range p.Messages {
		if m.Placeholder != "" {
			placeholders++
			continue
		}
		for _, found := range variable.FindAllStringSubmatch(m.Content, -1) {
			if !known[found[1]] {
				known[found[1]] = true
				names = append(names, found[1])
			}
		}
	}
	return names, placeholders
}

// of returns the value of a variable.
func (v *values) of(name string) (text string, ok bool) {
	if raw, ok := v.members[name]; ok {
		return plainText(raw), true
	}
	if name == wholeInput || name == v.only && v.members == nil {
		return v.whole, true
	}
	return "", false
}

func (v *values) missing(names []string) (missing []string) {
	for _, name := range names {
		if _, ok := v.of(name); !ok {
			missing = append(missing, name)
		}
	}
	return missing
}

// filled returns a text with the values of its variables. Variables in a value stay as they are.
func (v *values) filled(text string) (string, error) {
	var b strings.Builder
	at := 0
	for _, found := range variable.FindAllStringSubmatchIndex(text, -1) {
		value, _ := v.of(text[found[2]:found[3]])
		if b.Len()+len(value) > maxRequest {
			return "", unusable("The messages for the item are longer than %d MB", maxRequest>>20)
		}
		b.WriteString(text[at:found[0]])
		b.WriteString(value)
		at = found[1]
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

// messages returns what a placeholder stands for.
func (v *values) messages(name string) (list []domain.PromptMessage, err error) {
	if list, ok := v.lists[name]; ok {
		return list, nil
	}
	raw, ok := v.members[name]
	if !ok {
		return nil, unusable("The input of the item has no %s", quoted([]string{name}))
	}
	var read []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &read) != nil {
		return nil, unusable("%s of the input is not a list of messages with a role and a content", quoted([]string{name}))
	}
	for _, m := range read {
		if m.Role == "" || len(m.Content) == 0 || m.Content[0] != '"' {
			return nil, unusable("%s of the input has a message without a role, or whose content is not a text", quoted([]string{name}))
		}
		list = append(list, domain.PromptMessage{Role: m.Role, Content: plainText(m.Content)})
	}
	v.lists[name] = list
	return list, nil
}

// roleOf returns the role of a message. Prompts can have any; models know a few.
func roleOf(role string) llm.Role {
	switch r := llm.Role(strings.ToLower(role)); r {
	case llm.System, llm.Developer, llm.Assistant:
		return r
	}
	return llm.User
}

// plainText returns the text of a JSON string, and other values as they are.
func plainText(raw json.RawMessage) string {
	var text string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// quoted returns names for a message; not all of many.
func quoted(names []string) string {
	const most = 5
	var list []string
	for _, name := range names[:min(len(names), most)] {
		list = append(list, fmt.Sprintf("%.*q", maxQuoted, name))
	}
	if len(names) > most {
		list = append(list, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(list, ", ")
}

// isJSON reports whether a text is JSON, with nothing around it but blanks.
func isJSON(text string) (json.RawMessage, bool) {
	raw := bytes.TrimSpace([]byte(text))
	return raw, len(raw) > 0 && decode.CheckJSON(raw) == nil
}
