package exported

import (
	"encoding/json"
	"slices"
	"strings"

	"almanac/internal/export"
	"almanac/internal/importing/files"
	"almanac/internal/jsontext"
)

// layout is how the files of a table look.
type layout struct {
	export.Layout
	// members are the names under which the columns are known to the API, for those that are read.
	members map[string]string
	kinds   map[string]export.Kind
}

// layouts returns all layouts.
func layouts() (all []*layout) {
	for _, l := range export.Layouts() {
		known := &layout{Layout: l, members: make(map[string]string), kinds: make(map[string]export.Kind)}
		for _, c := range l.Columns {
			known.kinds[c.Name], known.members[c.Name] = c.Kind, c.Name
			if l.Scheduled {
				known.members[c.Name] = apiName(c.Name)
			}
		}
		if !l.Scheduled {
			known.members[commentsColumn], known.kinds[commentsColumn] = commentsColumn, export.JSON
		}
		all = append(all, known)
	}
	return all
}

// commentsColumn is where comments are, in the tables that have them.
const commentsColumn = "comments"

// apiName is what the API calls a column of a scheduled export.
func apiName(column string) string {
	words := strings.Split(column, "_")
	for n := range words[1:] {
		words[n+1] = strings.ToUpper(words[n+1][:1]) + words[n+1][1:]
	}
	return strings.Join(words, "")
}

// layoutOf returns the layout of a file with such columns; nil if it is none of ours.
func layoutOf(all []*layout, columns []string) *layout {
	for _, l := range all {
		if !slices.ContainsFunc(l.Marks, func(mark string) bool { return !slices.Contains(columns, mark) }) {
			return l
		}
	}
	return nil
}

// cell returns how to read texts of a file.
func (l *layout) cell(path string) files.Cell {
	escaped := !l.Scheduled && !strings.HasSuffix(path, files.Parquet)
	return func(column, text string) json.RawMessage {
		switch kind, known := l.kinds[column]; {
		case !known:
			return json.RawMessage("null") // of a score, which the table of scores has as a whole
		case kind == export.Text:
			if escaped {
				text = export.Unescaped(text)
			}
		case kind != export.Time && json.Valid([]byte(text)):
			return json.RawMessage(text)
		}
		return jsontext.AppendString(nil, text)
	}
}

// pick returns a row with the members that the API has. Names of scores are names of columns, too, and can be anything.
func (l *layout) pick(row []byte) []byte {
	object := make([]byte, 0, len(row))
	object = append(object, '{')
	picked := make(map[string]bool, len(l.members))
	for m := jsontext.CheckedMembersOf(string(row)); m.Next(); {
		name, known := l.members[m.Name]
		if !known || picked[name] {
			continue
		}
		picked[name] = true
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(append(append(object, '"'), name...), `":`...), m.Value...)
	}
	return append(object, '}')
}
