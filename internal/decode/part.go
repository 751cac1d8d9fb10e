package decode

import "bytes"

// NewPart returns a reader for a part of a body that CheckJSON accepts, with the path to it. A nil part is absent.
func NewPart(raw []byte, path ...any) Value {
	return Value{raw: bytes.TrimSpace(raw), path: path, issues: new(Issues)}
}

// Names returns the distinct names of the object's members, in order. The caller must not modify the slice.
func (o *Object) Names() []string { return o.order }

// Repeated returns the names of repeated members, in order, once for each repetition.
func (o *Object) Repeated() []string { return o.repeated }
