package endpoint

import (
	"iter"
	"math"

	"almanac/internal/decode"
	"almanac/internal/httpapi/respond"
)

// Bodies encodes each thing as JSON, in the form that body returns.
func Bodies[T, B any](things iter.Seq2[*T, error], body func(*T) B) iter.Seq2[*[]byte, error] {
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

// AppendBody appends a body returned by Bodies.
func AppendBody(dst []byte, body *[]byte, flush respond.Flush) []byte {
	return AppendParts(dst, *body, flush)
}

// AppendParts appends long bytes in parts, flushing after each.
func AppendParts(dst, long []byte, flush respond.Flush) []byte {
	const part = 64 << 10
	for len(long) > part {
		dst, long = flush(append(dst, long[:part]...)), long[part:]
	}
	return append(dst, long...)
}

// Numbered returns a list response with one numbered page out of total things.
func Numbered(page decode.Page, total int, things iter.Seq2[*[]byte, error]) *List[[]byte] {
	return &List[[]byte]{Rows: things, Limit: page.Limit, Write: AppendBody, Finish: PageMeta{Page: page, Total: total}.AppendTo}
}

// Whole returns a list response with all things; end appends what follows them.
func Whole(things iter.Seq2[*[]byte, error], end func(dst []byte) []byte) *List[[]byte] {
	return &List[[]byte]{
		Rows: things, Limit: math.MaxInt, Write: AppendBody,
		Finish: func(dst []byte, _ bool) []byte { return end(dst) },
	}
}

// OpenBody returns an object as JSON, left open within one more member, a list, so that the items can be appended.
func OpenBody(object any, member string) ([]byte, error) {
	head, err := respond.Marshal(object)
	if err != nil {
		return nil, err
	}
	head = append(head[:len(head)-1], `,"`...)
	return append(append(head, member...), `":[`...), nil
}

// Each returns a sequence over a slice.
func Each[T any](list []T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for n := range list {
			if !yield(&list[n], nil) {
				return
			}
		}
	}
}

// Cut returns the part of a slice that is on a page.
func Cut[T any](list []T, offset, limit int) []T {
	from := min(offset, len(list))
	return list[from:min(from+limit, len(list))]
}
