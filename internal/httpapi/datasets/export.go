package datasets

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/jsontext"
)

// exportedColumns are the members of an exported item, in their order.
var exportedColumns = []string{
	"id", "input", "expectedOutput", "metadata", "status", "sourceTraceId", "sourceObservationId", "updatedAt",
}

// ExportItems sends all items of a dataset, now or as of a time, archived ones included, in a form that ImportItems reads.
func (h *Handlers) ExportItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	format := cmp.Or(q.Enum("format", "csv", "json", "jsonl"), "jsonl")
	at := q.NonEmptyDate("version")
	if err := q.Err(); err != nil {
		return nil, err
	}
	d, err := h.datasetByID(c, scope)
	if err != nil {
		return nil, err
	}
	layout := map[string]struct {
		contentType, start, between, end string
		appendItem                       func([]byte, *domain.DatasetItem) []byte
	}{
		"csv":   {"text/csv; charset=utf-8", strings.Join(exportedColumns, ",") + "\r\n", "\r\n", "\r\n", appendCSVItem},
		"json":  {"application/json", "[\n", ",\n", "\n]\n", appendJSONItem},
		"jsonl": {respond.JSONLines, "", "\n", "\n", appendJSONItem},
	}[format]
	// As of the last write: an item that is changed while the file is sent is in it as it was.
	until := d.LastWrite
	if at != nil && at.Before(until) {
		until = *at
	}
	items := h.Catalog.DatasetItemsAt(c.Context(), scope, d.ID, until)
	return c.StreamAs(layout.contentType, func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
		dst = append(dst, layout.start...)
		empty := true
		for item, err := range items {
			if err != nil {
				return nil, err
			}
			if !empty {
				dst = append(dst, layout.between...)
			}
			empty = false
			if dst = p.Flush(layout.appendItem(dst, item)); p.Failed() {
				return nil, nil
			}
		}
		if empty && format != "json" {
			return dst, nil
		}
		return append(dst, layout.end...), nil
	})
}

func appendJSONItem(dst []byte, item *domain.DatasetItem) []byte {
	dst = append(dst, '{')
	for n, column := range exportedColumns {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), column...), '"', ':')
		text, value := exportedValue(item, column)
		switch {
		case text != nil:
			dst = jsontext.AppendString(dst, *text)
		case value != nil:
			dst = append(dst, value...)
		default:
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}

// appendCSVItem appends a record. A text stands in its cell as it is, unless that would be read as something else: then
// it is written as JSON, with its quotes.
func appendCSVItem(dst []byte, item *domain.DatasetItem) []byte {
	for n, column := range exportedColumns {
		if n > 0 {
			dst = append(dst, ',')
		}
		text, value := exportedValue(item, column)
		if text == nil {
			// A replacement character may stand for what only JSON can express.
			plain, ok := jsontext.Unquote(string(value))
			if ok && !jsontext.Valid(plain) && !strings.ContainsRune(plain, utf8.RuneError) {
				text = &plain
			}
		}
		switch {
		case text == nil:
			dst = appendCell(dst, string(value))
		case *text == "" || looksDifferent(*text):
			dst = appendCell(dst, string(jsontext.AppendString(nil, *text)))
		default:
			dst = appendCell(dst, *text)
		}
	}
	return dst
}

// looksDifferent reports whether spreadsheets would run a text as a formula, or ImportItems would read it as JSON.
func looksDifferent(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("=+-@'\"\t\r\n＝＋－＠", first)
}

func appendCell(dst []byte, text string) []byte {
	if !strings.ContainsAny(text, "\",\r\n") && strings.TrimSpace(text) == text {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}

// exportedValue returns a member of an item, as text or as JSON.
func exportedValue(item *domain.DatasetItem, column string) (text *string, value []byte) {
	switch column {
	case "id":
		return &item.ID, nil
	case "input":
		return nil, item.Input
	case "expectedOutput":
		return nil, item.ExpectedOutput
	case "metadata":
		return nil, item.Metadata
	case "status":
		return &item.Status, nil
	case "sourceTraceId":
		return item.SourceTraceID, nil
	case "sourceObservationId":
		return item.SourceObservationID, nil
	}
	return new(respond.Time(item.WrittenAt).String()), nil
}
