package tokens

import (
	"strconv"
	"strings"

	"almanac/internal/jsontext"
)

// perChat is what a list of messages costs besides them: the words that the answer begins with.
const perChat = 3

// count counts a text as the method says. JSON is counted as the value that it stands for: a string without its quotes,
// anything else without blanks.
func (m Method) count(v vocabulary, text string) int {
	start := strings.TrimLeft(text, " \t\r\n")
	if start == "" || strings.IndexByte(`{["`, start[0]) < 0 || !jsontext.Valid(text) {
		return v.count(text) // not JSON, or a number or a word that counts the same
	}
	text = strings.TrimRight(start, " \t\r\n")
	if m.chat && text[0] == '[' {
		if n, ok := m.countMessages(v, text); ok {
			return n
		}
	}
	return countValue(v, text)
}

// countMessages counts a list of messages: every element has a role and a content that are texts, and a name that is one
// if it has any. It reports false for other lists.
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

// countMessage counts the members of a message that a model is shown, unless JavaScript takes them for false.
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

// isTruthy reports whether JavaScript takes a value for true.
func isTruthy(value string) bool {
	switch value {
	case "null", "false", `""`, "0", "-0", "0.0":
		return false
	}
	return true
}

// countValue counts a string as its text and anything else as JSON without blanks.
func countValue(v vocabulary, value string) int {
	if text, ok := jsontext.Unquote(value); ok {
		return v.count(text)
	}
	return v.count(string(jsontext.AppendCompact(nil, value, appendNumber)))
}

// appendNumber appends a number as JavaScript does. What a float64 cannot hold stays as it is.
func appendNumber(dst []byte, value string) []byte {
	const exact = 15 // a whole number of so many digits is the same in every form
	if len(value) > exact || strings.ContainsAny(value, ".eE-") {
		if number, err := strconv.ParseFloat(value, 64); err == nil {
			return jsontext.AppendNumber(dst, number)
		}
	}
	return append(dst, value...)
}
