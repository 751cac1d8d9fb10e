package httpapi

import (
	"iter"

	"almanac/internal/httpapi/respond"
)

// rowList is an answer with rows, which is written while they are read, piece by piece.
type rowList[R any] struct {
	head   []byte // what comes before the first row; nil for that of a plain list
	rows   iter.Seq2[*R, error]
	limit  int                                                  // how many rows are written; one more is read to know whether there is one
	write  func(dst []byte, row *R, flush respond.Flush) []byte // appends a row
	finish func(dst []byte, more bool) []byte                   // appends what comes behind the last row
}

// answer is the answer of a list.
func (l *rowList[R]) answer(c *Call) (any, error) {
	return c.inPieces(func(p *pieces, dst []byte) ([]byte, error) {
		if l.head != nil {
			dst = appendParts(dst, l.head, p.flush)
		} else {
			dst = append(dst, `{"data":[`...)
		}
		written, more := 0, false
		for row, err := range l.rows {
			if err != nil {
				return nil, err
			}
			if more = written == l.limit; more {
				break
			}
			if written > 0 {
				dst = append(dst, ',')
			}
			written++
			if dst = p.flush(l.write(dst, row, p.flush)); p.over() {
				return nil, nil
			}
		}
		return append(l.finish(append(dst, ']'), more), '}'), nil
	})
}

// answerWith is the answer of an object that begins with head, up to where its rows are.
func (l *rowList[R]) answerWith(c *Call, head []byte) (any, error) {
	l.head = head
	return l.answer(c)
}
