package explore

import (
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/jsontext"
)

// PreviewLength is the maximum length of a preview, in characters.
const PreviewLength = 300

// previewRead is the maximum size of a string that is parsed for its preview, in bytes. The preview of a longer string
// is its beginning.
const previewRead = 4 << 20

// previewDepth is how deep in JSON to look for a conversation.
const previewDepth = 6

// Preview returns the beginning of the part of an input or output that is most worth reading: the last message of a
// conversation, by the given role if it has one; the content of a string; anything else as compact JSON.
func Preview(text, role string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	if len(text) <= previewRead && strings.IndexByte(`[{"`, text[0]) >= 0 {
		if said := lastSaid(text, role, previewDepth); said != "" {
			return shorten(said)
		}
	}
	if text[0] == '[' || text[0] == '{' {
		const enough = 16 * PreviewLength // escapes and whitespace are longer than their preview
		return shorten(decoded(jsontext.Compact(cutBytes(text, enough))))
	}
	return shorten(cutBytes(text, 8*PreviewLength))
}

// decoded replaces escapes in JSON by their characters, where it remains valid JSON.
func decoded(json string) string {
	if !strings.Contains(json, `\u`) {
		return json
	}
	return string(jsontext.AppendNormalized(nil, json))
}

// lastSaid returns the last message in JSON of the forms that model providers and frameworks use, or "" if it is not a
// conversation.
func lastSaid(json, role string, depth int) string {
	if depth == 0 {
		return ""
	}
	switch json[0] {
	case '"':
		text, _ := jsontext.Unquote(json)
		inner := strings.TrimSpace(text)
		// A conversation may be a JSON string within JSON.
		if inner != "" && (inner[0] == '[' || inner[0] == '{') {
			if said := lastSaid(inner, role, depth-1); said != "" {
				return said
			}
		}
		return text
	case '[':
		return lastOfList(json, role, depth)
	case '{':
		return saidIn(json, role, depth)
	}
	return ""
}

// lastOfList returns the text of the last message of a role, or of the last message if the role has none.
func lastOfList(json, role string, depth int) string {
	var messages, parts []string
	for e := jsontext.ElementsOf(json); e.Next(); {
		switch {
		case e.Value[0] == '[': // a batch of conversations
			messages = append(messages, e.Value)
		case e.Value[0] == '{' && roleOf(e.Value) != "":
			messages = append(messages, e.Value)
		case e.Value[0] == '{':
			parts = append(parts, e.Value)
		}
	}
	for _, want := range []string{role, ""} {
		for _, message := range slices.Backward(messages) {
			if want != "" && message[0] == '{' && roleOf(message) != want {
				continue
			}
			if said := lastSaid(message, role, depth-1); said != "" {
				return said
			}
		}
	}
	if text := textOfParts(parts); text != "" || len(parts) == 0 {
		return text
	}
	return lastSaid(parts[len(parts)-1], role, depth-1) // of a list of answers, each of which holds a message
}

// saidIn returns the text of an object that is a message or contains messages.
func saidIn(json, role string, depth int) string {
	var content string
	for m := jsontext.MembersOf(json); m.Next(); {
		switch m.Name {
		case "messages", "message", "choices", "contents", "generations", "output", "kwargs", "candidates":
			if m.Value[0] == '[' || m.Value[0] == '{' {
				if said := lastSaid(m.Value, role, depth-1); said != "" {
					return said
				}
			}
		case "content", "parts", "text":
			switch m.Value[0] {
			case '"':
				if text, _ := jsontext.Unquote(m.Value); text != "" {
					content = text
				}
			case '[':
				var parts []string
				for e := jsontext.ElementsOf(m.Value); e.Next(); {
					parts = append(parts, e.Value)
				}
				if text := textOfParts(parts); text != "" {
					content = text
				}
			case '{':
				if text := saidIn(m.Value, role, depth-1); depth > 1 && text != "" {
					content = text
				}
			}
		}
	}
	return content
}

// textOfParts joins the texts of the parts of a message.
func textOfParts(parts []string) string {
	var texts []string
	for _, part := range parts {
		if part[0] == '"' {
			text, _ := jsontext.Unquote(part)
			texts = append(texts, text)
			continue
		}
		for m := jsontext.MembersOf(part); m.Next(); {
			if (m.Name == "text" || m.Name == "content") && m.Value[0] == '"' {
				text, _ := jsontext.Unquote(m.Value)
				texts = append(texts, text)
				break
			}
		}
	}
	return strings.Join(texts, "\n")
}

// roleOf returns the role of a message.
func roleOf(json string) string {
	for m := jsontext.MembersOf(json); m.Next(); {
		if (m.Name == "role" || m.Name == "type") && m.Value[0] == '"' {
			role, _ := jsontext.Unquote(m.Value)
			switch role {
			case "user", "human":
				return "user"
			case "assistant", "ai", "model":
				return "assistant"
			case "system", "tool", "developer", "function":
				return role
			}
		}
	}
	return ""
}

// shorten cuts a string to PreviewLength.
func shorten(text string) string { return cutCharacters(text, PreviewLength) }

// cutCharacters cuts a string to at most the given number of characters.
func cutCharacters(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	count := 0
	for at := range text {
		if count == most {
			return text[:at]
		}
		count++
	}
	return text
}

// cutBytes cuts a string to at most the given number of bytes, at a character boundary.
func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
