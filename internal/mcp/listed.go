package mcp

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

//go:embed tools.json
var tools []byte

// list returns the answer to tools/list, which is always the same: {"tools": […]}.
func list() []byte { return listed().answer }

// takes returns the names of the arguments of a tool, in order.
func takes(tool string) []string { return listed().arguments[tool] }

// find returns the tool of a name; nil if there is none.
func find(name string) *Tool { return listed().byName[name] }

type listing struct {
	answer    []byte
	arguments map[string][]string
	byName    map[string]*Tool
}

var listed = sync.OnceValue(func() listing {
	l := listing{answer: tools, arguments: make(map[string][]string), byName: make(map[string]*Tool)}
	var content struct {
		Tools []struct {
			Name  string `json:"name"`
			Input struct {
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"inputSchema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(l.answer, &content); err != nil {
		panic("BUG: the embedded list of tools is not JSON: " + err.Error())
	}
	for _, tool := range content.Tools {
		l.arguments[tool.Name] = slices.Sorted(maps.Keys(tool.Input.Properties))
	}
	for i := range table {
		l.byName[table[i].Name] = &table[i]
	}
	return l
})
