package otlp

// Spans and their groups are drafts until they have been read completely.

// spanDraft is a span that is being read.
type spanDraft struct {
	Span

	trace, id, parent identifier
	attributes        attributeList
	firstEvent        int
	events            int // all events, including those beyond the limit
}

func (e *Export) startSpan(d *spanDraft) error {
	b := &e.build
	e.Spans++
	if e.Spans > b.limits.Spans {
		return &LimitError{What: "spans", Limit: b.limits.Spans}
	}
	d.attributes = e.startAttributes("attributes")
	d.firstEvent = b.events.start()
	return nil
}

// finishSpan keeps the span or rejects it.
func (e *Export) finishSpan(d *spanDraft) {
	b := &e.build
	d.TraceID = e.require("traceId", d.trace, traceIDBytes)
	d.SpanID = e.require("spanId", d.id, spanIDBytes)
	d.ParentID = e.allow("parentSpanId", d.parent)
	e.checkAttributes(&d.attributes)
	if d.events > b.limits.Events {
		e.fault("events:too_many" + exceeds(d.events, b.limits.Events))
	}
	e.checkStart(&d.Span)
	if b.faulty {
		b.faulty = false
		e.Rejected++
		b.attributes.abandon(d.attributes.start)
		b.events.abandon(d.firstEvent)
		return
	}
	d.Attributes = b.attributes.finish(d.attributes.start)
	d.Events = b.events.finish(d.firstEvent)
	b.spans.push(d.Span)
}

// scopeDraft is a group of spans that is being read.
type scopeDraft struct {
	ScopeSpans

	firstSpan           int
	rejected, badFields int // of the export when the group began
}

func (e *Export) startScope(d *scopeDraft) error {
	d.firstSpan = e.build.spans.start()
	d.rejected, d.badFields = e.Rejected, e.BadFields
	return e.item()
}

// finishScope keeps the group if it has spans, and records its name if it has problems.
func (e *Export) finishScope(d *scopeDraft) {
	b := &e.build
	if e.Rejected > d.rejected || e.BadFields > d.badFields {
		e.badScope(d.Scope.Name)
	}
	d.Spans = b.spans.finish(d.firstSpan)
	if len(d.Spans) > 0 {
		b.scopes.push(d.ScopeSpans)
	}
}

// finishResource keeps a group if it has spans or is the first.
func (e *Export) finishResource(firstScope int, attributes *attributeList) {
	group := ResourceSpans{
		Resource:   Resource{Attributes: e.ownAttributes(attributes)},
		ScopeSpans: e.build.scopes.finish(firstScope),
	}
	if len(group.ScopeSpans) > 0 || len(e.ResourceSpans) == 0 {
		e.ResourceSpans = append(e.ResourceSpans, group)
	}
}
