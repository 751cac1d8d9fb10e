package almanac

import (
	"encoding/json"
	"slices"
	"strings"

	"almanac/internal/jsontext"
	"almanac/internal/transfer/export"
	"almanac/internal/transfer/importing/files"
)

// layout describes the files of a table.
type layout struct {
	export.Layout
	// members maps the columns that are read to their API names.
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

// commentsColumn is the column of comments, in the tables that have them.
const commentsColumn = "comments"

// apiName returns the API name of a column of a scheduled export.
func apiName(column string) string {
	words := strings.Split(column, "_")
	for n := range words[1:] {
		words[n+1] = strings.ToUpper(words[n+1][:1]) + words[n+1][1:]
	}
	return strings.Join(words, "")
}

// layoutOf returns the layout of a file with the given columns, or nil if it is not one of our exports.
func layoutOf(all []*layout, columns []string) *layout {
	for _, l := range all {
		if !slices.ContainsFunc(l.Marks, func(mark string) bool { return !slices.Contains(columns, mark) }) {
			return l
		}
	}
	return nil
}

// cell returns the function that converts texts of a file to JSON.
func (l *layout) cell(path string) files.Cell {
	escaped := !l.Scheduled && !strings.HasSuffix(path, files.Parquet)
	return func(column, text string) json.RawMessage {
		switch kind, known := l.kinds[column]; {
		case !known:
			return json.RawMessage("null") // a score column; the scores table has the whole score
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

// pick returns a row with only the members that the API has. Score names are also column names, and can be anything.
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
