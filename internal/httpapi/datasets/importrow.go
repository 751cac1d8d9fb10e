package datasets

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/httpapi/respond"
	"almanac/internal/jsontext"
)

// importedRow is a row of a file.
type importedRow struct {
	// value returns the value of a column as JSON in the form in which it is stored; nil if it is empty or absent.
	value func(column string) json.RawMessage
	// id is the value of the column of the ids, in the same form.
	id json.RawMessage
}

// write returns what a row of the file writes. Its errors of type *respond.Error refuse this row only.
func (r *importRequest) write(datasetID string, row decode.Value) (w catalog.ItemWrite, err error) {
	if kind := row.Kind(); kind != "array" && r.places != nil || kind != "string" && r.places == nil {
		return w, refusedRowf("The row is neither a list of cells nor the text of an object, as the others are")
	}
	if len(row.Raw()) > 2*MaxItemBody { // every character of it may be escaped
		return w, tooLongRow()
	}
	read := r.members
	if r.places != nil {
		read = r.cells
	}
	found, err := read(row)
	if err != nil {
		return w, err
	}
	for _, part := range []struct {
		value   *json.RawMessage
		columns []string
	}{{&w.Change.Input, r.mapping.input}, {&w.Change.ExpectedOutput, r.mapping.expectedOutput}, {&w.Change.Metadata, r.mapping.metadata}} {
		if *part.value, err = found.of(part.columns); err != nil {
			return w, err
		}
	}
	if w.Change.Size() > MaxItemBody {
		return w, tooLongRow()
	}
	if r.mapping.id == "" {
		w.Change.ID, w.KeepExisting = madeID(datasetID, w.Change), true
		return w, nil
	}
	w.Change.ID, err = idOf(found.id)
	return w, err
}

func refusedRowf(format string, args ...any) error {
	return respond.InvalidRequest(fmt.Sprintf(format, args...))
}

func tooLongRow() error { return refusedRowf("The row is longer than 4.5 MB") }

// cells reads a row of cells.
func (r *importRequest) cells(row decode.Value) (found importedRow, err error) {
	own := row.WithOwnIssues()
	cells := make([]string, 0, len(r.columns))
	if count := own.Len(); count != len(r.columns) {
		return found, refusedRowf("It has %s, and there are %s", counted(count, "cell"), counted(len(r.columns), "column"))
	}
	for _, cell := range own.Array() {
		cells = append(cells, cell.Text())
	}
	if own.Err() != nil {
		return found, refusedRowf("A cell is no text")
	}
	found.value = func(column string) json.RawMessage { return valueOfCell(cells[r.places[column]], r.asText) }
	if r.mapping.id != "" {
		// Only a quote at the start makes an id JSON: that is how ids are exported that would be read as something else.
		id := cells[r.places[r.mapping.id]]
		found.id = valueOfCell(id, !strings.HasPrefix(id, `"`))
	}
	return found, nil
}

func counted(count int, what string) string {
	if count == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", count, what)
}

// valueOfCell returns the JSON in a cell, or its text as JSON.
func valueOfCell(cell string, asText bool) json.RawMessage {
	switch {
	case cell == "":
		return nil
	case !asText && jsontext.Valid(cell):
		return cleanJSON([]byte(cell))
	}
	return cleanJSON(jsontext.AppendString(nil, cell))
}

// members reads a row that is a JSON object.
func (r *importRequest) members(row decode.Value) (found importedRow, err error) {
	text := strings.TrimSpace(row.Text())
	switch {
	case !jsontext.Valid(text):
		return found, refusedRowf("The row is not valid JSON")
	case text[0] != '{':
		return found, refusedRowf("The row is no JSON object")
	}
	values := make(map[string]string)
	for m := jsontext.MembersOf(text); m.Next(); {
		values[m.Key()] = m.Value // the last of several members with the same name wins
	}
	found.value = func(column string) json.RawMessage {
		if value, ok := values[column]; ok {
			return cleanJSON([]byte(value))
		}
		return nil
	}
	found.id = found.value(r.mapping.id)
	return found, nil
}

// of returns the value of the only column, or an object of the values of several. No columns leave a value as it is;
// columns without a value remove it.
func (r importedRow) of(columns []string) (json.RawMessage, error) {
	switch len(columns) {
	case 0:
		return nil, nil
	case 1:
		if value := r.value(columns[0]); value != nil {
			return value, nil
		}
		return json.RawMessage("null"), nil
	}
	object := []byte{'{'}
	for _, column := range columns {
		value := r.value(column)
		if value == nil {
			continue
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		if object = append(append(jsontext.AppendString(object, column), ':'), value...); len(object) > MaxItemBody {
			return nil, tooLongRow()
		}
	}
	if len(object) == 1 {
		return json.RawMessage("null"), nil
	}
	return cleanJSON(append(object, '}')), nil
}

// idOf returns the id in a column: a text, or a number as it is written.
func idOf(value json.RawMessage) (string, error) {
	if value == nil || string(value) == "null" {
		return "", refusedRowf("The id is empty")
	}
	id := string(value)
	switch value[0] {
	case '"':
		id, _ = jsontext.Unquote(id)
	case '{', '[':
		return "", refusedRowf("The id is a list or an object")
	}
	if length := len([]rune(id)); length == 0 || length > maxItemID {
		return "", refusedRowf("The id has %d characters, and can have 1 to %d", length, maxItemID)
	}
	return id, nil
}

// madeID returns the id of an item without one. The same values in the same dataset have the same id, so that nothing
// doubles if a file is imported again.
func madeID(datasetID string, change catalog.DatasetItemChange) string {
	// Values have no line ends between tokens, and none unescaped within strings.
	text := strings.Join([]string{datasetID, string(change.Input), string(change.ExpectedOutput), string(change.Metadata)}, "\n")
	const version = 8
	return uuid.NewHash(sha256.New(), uuid.Nil, []byte(text), version).String()
}
