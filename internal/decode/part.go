package decode

import "bytes"

// NewPart returns a reader of a part of a body that CheckJSON accepts, with the path that leads to it. A nil part is an
// absent one.
func NewPart(raw []byte, path ...any) Value {
	return Value{raw: bytes.TrimSpace(raw), path: path, issues: new(Issues)}
}

// Names returns the names of the object's members, in order, each once. The caller must not change them.
func (o *Object) Names() []string { return o.order }

// Repeated returns the names of members that are given again, in order, once for each further time.
func (o *Object) Repeated() []string { return o.repeated }
