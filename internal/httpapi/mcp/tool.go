package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Tool is an API request under its own name. A tool without a method makes no request: its Caller has the result, which
// is constant. The description of a tool for clients and its arguments are in tools.json, which is generated from these
// rows and the description of the API.
type Tool struct {
	Name         string
	Method, Path string
	// Fixed holds arguments that the tool sets itself.
	Fixed []Fixed
	// Project is the argument that is set to the id of the project.
	Project string
	// Without lists parameters of the operation that are not arguments of the tool.
	Without []string
	// Packed is the query parameter that holds all arguments, as JSON.
	Packed string
	// Dimension is the argument that names the only dimension of a metrics query.
	Dimension string
	// InBody reports whether arguments go into the body although the method usually has none.
	InBody bool
}

// Fixed is an argument with its value as JSON.
type Fixed struct{ Name, Value string }

// Request is the API request of a tool.
type Request struct {
	Method string
	Target string // path and query
	Body   []byte // JSON; may be empty
}

// Request returns the request for arguments that have been checked. The project is that of the client's key.
func (t *Tool) Request(arguments map[string]json.RawMessage, project string) (*Request, error) {
	rest := make(map[string]json.RawMessage, len(arguments)+len(t.Fixed)+1)
	maps.Copy(rest, arguments)
	for _, fixed := range t.Fixed {
		rest[fixed.Name] = json.RawMessage(fixed.Value)
	}
	if t.Project != "" {
		rest[t.Project], _ = json.Marshal(project) //nolint:errchkjson // texts always marshal
	}
	if t.Dimension != "" {
		field, err := json.Marshal([]map[string]json.RawMessage{{"field": orNull(rest[t.Dimension])}})
		if err != nil {
			return nil, err
		}
		delete(rest, t.Dimension)
		rest["dimensions"] = field
	}
	path, err := t.fillPath(rest)
	if err != nil {
		return nil, err
	}
	request := &Request{Method: t.Method, Target: path}
	if t.hasBody() {
		request.Body, err = json.Marshal(rest)
		return request, err
	}
	query, err := t.query(rest)
	if err != nil {
		return nil, err
	}
	if len(query) > 0 {
		request.Target += "?" + query.Encode()
	}
	return request, nil
}

// orNull returns null for an argument that is not given.
func orNull(value json.RawMessage) json.RawMessage {
	if len(value) == 0 {
		return json.RawMessage("null")
	}
	return value
}

func (t *Tool) hasBody() bool { return t.InBody || t.Method != "GET" && t.Method != "DELETE" }

// checkArguments refuses arguments that the tool does not take: the API would ignore most of them, and an assistant
// would never learn that its condition had no effect.
func (t *Tool) checkArguments(arguments map[string]json.RawMessage, takes []string) error {
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if slices.Contains(takes, name) {
			continue
		}
		if len(takes) == 0 {
			return fmt.Errorf("%s takes no arguments, not even %q", t.Name, shorten(name))
		}
		return fmt.Errorf("%s takes no argument %q. Its arguments: %s", t.Name, shorten(name), strings.Join(takes, ", "))
	}
	return nil
}

// shorten truncates a string sent by a client, to be quoted in an error.
func shorten(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// fillPath returns the path with its arguments filled in, and removes these from arguments.
func (t *Tool) fillPath(arguments map[string]json.RawMessage) (string, error) {
	segments := strings.Split(t.Path, "/")
	for i, segment := range segments {
		name, isArgument := strings.CutPrefix(segment, "{")
		if !isArgument {
			continue
		}
		name = strings.TrimSuffix(name, "}")
		text, err := scalar(arguments[name])
		if err != nil || text == "" || text == "." || text == ".." {
			return "", fmt.Errorf("%s needs the argument %s, a text that is not empty", t.Name, name)
		}
		delete(arguments, name)
		segments[i] = url.PathEscape(text)
	}
	return strings.Join(segments, "/"), nil
}

// query returns arguments as query parameters: a list of strings as a repeated parameter, other lists and objects as
// JSON.
func (t *Tool) query(arguments map[string]json.RawMessage) (url.Values, error) {
	values := make(url.Values, len(arguments))
	if t.Packed != "" {
		packed, err := json.Marshal(arguments)
		values.Set(t.Packed, string(packed))
		return values, err
	}
	for name, value := range arguments {
		if string(value) == "null" {
			continue
		}
		if text, err := scalar(value); err == nil {
			values.Set(name, text)
			continue
		}
		var texts []string
		if json.Unmarshal(value, &texts) != nil {
			values.Set(name, string(value))
			continue
		}
		for _, text := range texts {
			values.Add(name, text)
		}
	}
	return values, nil
}

var errNoScalar = errors.New("neither a text nor a number nor a boolean")

// scalar returns the value of a string, and a number or a boolean as it was written.
func scalar(value json.RawMessage) (string, error) {
	if len(value) == 0 {
		return "", errNoScalar
	}
	switch value[0] {
	case '"':
		var text string
		err := json.Unmarshal(value, &text)
		return text, err
	case '{', '[', 'n':
		return "", errNoScalar
	}
	return string(value), nil
}
