package endpoint

import (
	"iter"

	"almanac/internal/httpapi/respond"
)

// List is a response whose rows are streamed as they are read.
type List[R any] struct {
	head   []byte // what precedes the first row; nil for a plain list
	Rows   iter.Seq2[*R, error]
	Limit  int                                                  // how many rows are written; one more is read to see whether there are more
	Write  func(dst []byte, row *R, flush respond.Flush) []byte // appends a row
	Finish func(dst []byte, more bool) []byte                   // appends what follows the last row
}

// Answer returns the response of a list.
func (l *List[R]) Answer(c *Call) (any, error) {
	return c.Stream(func(p *StreamWriter, dst []byte) ([]byte, error) {
		if l.head != nil {
			dst = AppendParts(dst, l.head, p.Flush)
		} else {
			dst = append(dst, `{"data":[`...)
		}
		written, more := 0, false
		for row, err := range l.Rows {
			if err != nil {
				return nil, err
			}
			if more = written == l.Limit; more {
				break
			}
			if written > 0 {
				dst = append(dst, ',')
			}
			written++
			if dst = p.Flush(l.Write(dst, row, p.Flush)); p.Failed() {
				return nil, nil
			}
		}
		return append(l.Finish(append(dst, ']'), more), '}'), nil
	})
}

// AnswerWith returns the response of an object that begins with head, up to where the rows start.
func (l *List[R]) AnswerWith(c *Call, head []byte) (any, error) {
	l.head = head
	return l.Answer(c)
}
