package decode

// Names returns the names of the object's members, in order, each once. The caller must not change them.
func (o *Object) Names() []string { return o.order }
