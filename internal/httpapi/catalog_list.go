package httpapi

import (
	"iter"
	"math"

	"almanac/internal/decode"
	"almanac/internal/httpapi/respond"
)

// bodies returns things of the catalog as JSON, in the form that body gives them.
func bodies[T, B any](things iter.Seq2[*T, error], body func(*T) B) iter.Seq2[*[]byte, error] {
	return func(yield func(*[]byte, error) bool) {
		for thing, err := range things {
			var text []byte
			if err == nil {
				text, err = respond.Marshal(body(thing))
			}
			if !yield(&text, err) || err != nil {
				return
			}
		}
	}
}

func appendBody(dst []byte, body *[]byte, flush respond.Flush) []byte {
	return appendParts(dst, *body, flush)
}

// appendParts appends what may be long part by part.
func appendParts(dst, long []byte, flush respond.Flush) []byte {
	const part = 64 << 10
	for len(long) > part {
		dst, long = flush(append(dst, long[:part]...)), long[part:]
	}
	return append(dst, long...)
}

// numberedList is the answer with a numbered page of things, of which there are total.
func numberedList(page decode.Page, total int, things iter.Seq2[*[]byte, error]) *rowList[[]byte] {
	return &rowList[[]byte]{rows: things, limit: page.Limit, write: appendBody, finish: pageMeta{page, total}.appendTo}
}

// wholeList is the answer with all things there are; end appends what comes behind them.
func wholeList(things iter.Seq2[*[]byte, error], end func(dst []byte) []byte) *rowList[[]byte] {
	return &rowList[[]byte]{
		rows: things, limit: math.MaxInt, write: appendBody,
		finish: func(dst []byte, _ bool) []byte { return end(dst) },
	}
}

// openBody returns an object as JSON up to where the items of one more member, a list, are written.
func openBody(object any, member string) ([]byte, error) {
	head, err := respond.Marshal(object)
	if err != nil {
		return nil, err
	}
	head = append(head[:len(head)-1], `,"`...)
	return append(append(head, member...), `":[`...), nil
}

// each returns a list as a sequence.
func each[T any](list []T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for n := range list {
			if !yield(&list[n], nil) {
				return
			}
		}
	}
}

// cut returns the part of a list that is on a page.
func cut[T any](list []T, offset, limit int) []T {
	from := min(offset, len(list))
	return list[from:min(from+limit, len(list))]
}
