package otlp

// attributeList is the state of a list of attributes while it is read.
type attributeList struct {
	where string // name of the list in problems
	start int
	count int // all attributes, including those beyond the limit and those without a value
	// faulty saves the builder's flag for a resource or scope while the spans below it are read.
	faulty bool
}

func (e *Export) startAttributes(where string) attributeList {
	return attributeList{where: where, start: e.build.attributes.start()}
}

// wanted reports whether the next attribute has to be read rather than just counted.
func (e *Export) wanted(l *attributeList) bool {
	l.count++
	return l.count <= e.build.limits.Attributes && !e.build.faulty
}

// checkAttributes records a problem if there are too many attributes.
func (e *Export) checkAttributes(l *attributeList) {
	if limit := e.build.limits.Attributes; l.count > limit {
		e.fault(l.where + ":too_many" + exceeds(l.count, limit))
	}
}

// resume continues reading a resource or scope, parts of which may have been read before.
func (e *Export) resume(l *attributeList) { e.build.faulty = l.faulty }

// pause must be called before anything else is read.
func (e *Export) pause(l *attributeList) { l.faulty, e.build.faulty = e.build.faulty, false }

// ownAttributes returns the attributes of a resource or scope, or none if they are unusable; the spans below are kept
// either way.
func (e *Export) ownAttributes(l *attributeList) []Attribute {
	b := &e.build
	e.resume(l)
	e.checkAttributes(l)
	e.pause(l)
	if l.faulty {
		e.BadFields++
		e.oddFields = true
		b.attributes.abandon(l.start)
		return nil
	}
	return b.attributes.finish(l.start)
}
