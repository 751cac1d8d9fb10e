package otlp

// attributeList is a list of attributes that is being read.
type attributeList struct {
	where string // how problems name it
	start int
	count int // of all, those beyond the limit and those without a value included
	// faulty keeps the builder's mark of the list of a resource or scope while the spans below are read.
	faulty bool
}

func (e *Export) startAttributes(where string) attributeList {
	return attributeList{where: where, start: e.build.attributes.start()}
}

// wanted reports whether one more attribute has to be read, or only to be counted.
func (e *Export) wanted(l *attributeList) bool {
	l.count++
	return l.count <= e.build.limits.Attributes && !e.build.faulty
}

// checkAttributes records a problem if there are too many.
func (e *Export) checkAttributes(l *attributeList) {
	if limit := e.build.limits.Attributes; l.count > limit {
		e.fault(l.where + ":too_many" + exceeds(l.count, limit))
	}
}

// resume goes on with a resource or scope, of which some may have been read before.
func (e *Export) resume(l *attributeList) { e.build.faulty = l.faulty }

// pause is called before anything else is read.
func (e *Export) pause(l *attributeList) { l.faulty, e.build.faulty = e.build.faulty, false }

// ownAttributes returns the attributes of a resource or scope. If they cannot be used there are none; the spans below are
// kept all the same.
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
