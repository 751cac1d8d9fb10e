package tokens

import (
	"strconv"
	"strings"

	"almanac/internal/jsontext"
)

// perChat is the number of tokens of a list of messages in addition to the messages: the tokens that prime the
// response.
const perChat = 3

// count counts the tokens of a text. JSON is counted as the value it represents: a string without its quotes, anything
// else without whitespace.
func (m Method) count(v vocabulary, text string) int {
	start := strings.TrimLeft(text, " \t\r\n")
	if start == "" || strings.IndexByte(`{["`, start[0]) < 0 || !jsontext.Valid(text) {
		return v.count(text) // not JSON, or a number or keyword, which counts the same
	}
	text = strings.TrimRight(start, " \t\r\n")
	if m.chat && text[0] == '[' {
		if n, ok := m.countMessages(v, text); ok {
			return n
		}
	}
	return countValue(v, text)
}

// countMessages counts a list of messages: every element must have a role and a content that are strings, and its name,
// if any, must be a string. It returns false for other lists.
func (m Method) countMessages(v vocabulary, list string) (n int, ok bool) {
	n = perChat
	for e := jsontext.ElementsOf(list); e.Next(); {
		tokens, ok := m.countMessage(v, e.Value)
		if !ok {
			return 0, false
		}
		n += tokens
	}
	return max(n, 0), true
}

// countMessage counts the members of a message that the model sees, unless JavaScript considers them false.
func (m Method) countMessage(v vocabulary, message string) (n int, ok bool) {
	n = m.perMessage
	hasRole, hasContent := false, false
	for member := jsontext.MembersOf(message); member.Next(); {
		value := member.Value
		isText := value[0] == '"'
		switch member.Key() {
		case "role":
			hasRole = isText
		case "content":
			hasContent = isText
		case "name":
			if !isText {
				return 0, false
			}
			n += m.perName
		case "tool_calls", "function_call", "toolCalls", "functionCall":
		default:
			continue
		}
		if isTruthy(value) {
			n += countValue(v, value)
		}
	}
	return n, hasRole && hasContent
}

// isTruthy reports whether JavaScript considers a value true.
func isTruthy(value string) bool {
	switch value {
	case "null", "false", `""`, "0", "-0", "0.0":
		return false
	}
	return true
}

// countValue counts a string unquoted and anything else as JSON without whitespace.
func countValue(v vocabulary, value string) int {
	if text, ok := jsontext.Unquote(value); ok {
		return v.count(text)
	}
	return v.count(string(jsontext.AppendCompact(nil, value, appendNumber)))
}

// appendNumber appends a number as JavaScript does. A number out of the range of a float64 is left unchanged.
func appendNumber(dst []byte, value string) []byte {
	const exact = 15 // integers with at most this many digits are the same in either form
	if len(value) > exact || strings.ContainsAny(value, ".eE-") {
		if number, err := strconv.ParseFloat(value, 64); err == nil {
			return jsontext.AppendNumber(dst, number)
		}
	}
	return append(dst, value...)
}
