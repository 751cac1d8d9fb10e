// Package semconv maps spans to observations: it knows the attribute conventions of tracing libraries.
//
// The attributes of a span are resolved once: every name that a rule reads has a key, and rules read values by key
// (keys.go, attrs.go). Rules are ordered lists, with one file per convention: types (type.go), scalar fields
// (scalars.go), input and output (io.go), tools (tools.go, toolcalls.go), metadata (metadata.go), usage and cost
// (usage.go, cost.go). JSON from clients is processed as text without parsing it into trees (jsontext.go) and bounded
// (limits.go).
package semconv

import (
	"cmp"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// Provided is the usage and cost sent with a span, before prices are applied. It belongs to the mapper and is valid
// until its next call.
type Provided struct {
	Usage []domain.UsageEntry
	Cost  []domain.CostEntry
}

// Source describes the origin of a request.
type Source struct {
	IngestionKey string // public key
	SDKName      string
	SDKVersion   string
}

// Mapper maps the spans of requests, one request at a time. It reuses scratch memory and is not safe for concurrent
// use. The zero value is ready to use.
type Mapper struct {
	src    Source
	now    domain.Micros
	arena  arena
	lists  []string // backing memory for the lists of rows
	shared shared

	resource   attrs
	scope      *otlp.Scope
	scopeAttrs attrs
	scopeName  string
	// ownScope is set for spans of the service's SDKs, whose attributes are not repeated in metadata.
	ownScope     bool
	legacyPython bool

	span    attrs
	event   attrs
	summary bool // the span repeats data about models from the spans within it

	observation, trace, merged entries
	flat                       flatWriter
	parameters                 parameters
	tools                      toolbox
	defined                    nameIndex
	scratch                    []byte
	tree                       tree
	usage                      usageList
	cost                       []domain.CostEntry
	warnings                   []byte // what was dropped from the span
	warned                     int
}

// shared holds what the spans of a scope and its resource have in common.
type shared struct {
	serviceName, serviceVersion                        string
	release                                            string
	telemetryLanguage, telemetryName, telemetryVersion string
	metadata                                           []byte // members of the metadata object
}

// unknown is the name and version of an SDK that did not send them.
const unknown = "unknown"

const (
	keptLists   = 64 << 10 // elements
	keptScratch = 1 << 20  // bytes
)

// Begin starts a request. It invalidates the strings of all rows filled before.
func (m *Mapper) Begin(src Source, now domain.Micros) {
	src.SDKName = cmp.Or(src.SDKName, unknown)
	src.SDKVersion = cmp.Or(src.SDKVersion, unknown)
	m.src, m.now = src, now
	m.arena.reset()
	clear(m.lists)
	m.lists = m.lists[:0]
	if cap(m.lists) > keptLists {
		m.lists = nil
	}
	for _, b := range []*[]byte{&m.scratch, &m.shared.metadata, &m.flat.path} {
		if cap(*b) > keptScratch {
			*b = nil
		}
	}
	m.Resource(&otlp.Resource{})
	m.Scope(&otlp.Scope{})
}

// End drops the request, so that an idle mapper does not hold its memory. It invalidates the strings of its rows.
func (m *Mapper) End() {
	m.Begin(Source{}, 0)
	m.span.resolve(nil)
	m.event.resolve(nil)
	m.observation.reset()
	m.trace.reset()
	m.merged.reset()
	m.parameters.reset()
	m.tools.reset()
	m.defined.reset()
	m.tree.reset(nodeObject)
	clear(m.usage[:cap(m.usage)])
	clear(m.cost[:cap(m.cost)])
}

// Resource starts the spans of a resource.
func (m *Mapper) Resource(r *otlp.Resource) {
	a := &m.resource
	a.resolve(r.Attributes)
	text := func(k key) string { return m.text(a.first(truthy, k)) }
	m.shared = shared{
		serviceName:       text(keyServiceName),
		serviceVersion:    text(keyServiceVersion),
		release:           text(keyRelease),
		telemetryLanguage: text(keyTelemetryLanguage),
		telemetryName:     text(keyTelemetryName),
		telemetryVersion:  text(keyTelemetryVersion),
		metadata:          m.shared.metadata[:0],
	}
}

// Scope starts the spans of a scope of the current resource.
func (m *Mapper) Scope(s *otlp.Scope) {
	m.scope, m.scopeName = s, s.Name
	m.scopeAttrs.resolve(s.Attributes)
	m.ownScope = isOwnScope(s.Name)
	m.legacyPython = isLegacyPython(s, &m.resource)
	m.flat.begin(m.shared.metadata[:0])
	m.flat.resource(&m.resource)
	m.flat.scope(s, &m.scopeAttrs)
	m.shared.metadata = m.flat.dst
}

// Span fills in row from a span of the current scope and returns its usage and cost. Strings of the row may share
// memory with the span and the mapper: they are valid until the next Begin.
func (m *Mapper) Span(s *otlp.Span, row *domain.Observation) Provided {
	m.span.resolve(s.Attributes)
	m.summary = isSummary(&m.span) || m.scopeName == llamaIndexScope && strings.HasSuffix(s.Name, preparation)
	start, end := spanTimes(s, m.now)
	*row = domain.Observation{
		TraceID:           s.TraceID,
		ID:                s.SpanID,
		ParentID:          s.ParentID,
		StartTime:         start,
		EndTime:           end,
		CreatedAt:         m.now,
		UpdatedAt:         m.now,
		Type:              m.observationType(s),
		Source:            domain.SourceOTel,
		IngestionKey:      m.src.IngestionKey,
		SDKName:           m.src.SDKName,
		SDKVersion:        m.src.SDKVersion,
		ServiceName:       m.shared.serviceName,
		ServiceVersion:    m.shared.serviceVersion,
		ScopeName:         m.scope.Name,
		ScopeVersion:      m.scope.Version,
		TelemetryLanguage: m.shared.telemetryLanguage,
		TelemetryName:     m.shared.telemetryName,
		TelemetryVersion:  m.shared.telemetryVersion,
	}
	m.scalars(s, row)
	row.ModelParameters = m.modelParameters()
	m.experiment(row)

	x := m.ioPair(&m.span, s.Events)
	m.readMetadata()
	user := m.mergeMetadata()
	in, skip := m.moveTools(x.in, user)
	row.Input, row.Output = in.text, x.out.text
	row.ToolDefinitions, row.ToolNames = m.toolDefinitions(in)
	if !m.summary {
		row.ToolCalls, row.ToolCallNames = m.toolCalls(x.out)
		if row.ToolCalls == "" && m.span.has(outputMessageParts) {
			row.ToolCalls, row.ToolCallNames = m.flattenedCalls()
		}
	}
	m.warnings, m.warned = m.warnings[:0], 0
	if end < start {
		m.warnBackwards(start, end)
	}
	m.readUsage()
	m.readCost()
	row.Metadata = m.metadata(user, skip)
	row.TraceMetadata = m.traceMetadataText()
	return Provided{Usage: m.usage, Cost: m.cost}
}
