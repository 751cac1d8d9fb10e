package corpus

import "almanac/internal/domain"

// trace is the trace that a stream is sending. Its rows arrive one after the other.
type trace struct {
	key    uint64
	id     string
	root   string // id of its first row
	start  domain.Micros
	length int
	left   int // rows still to come

	name, user, session  string
	environment, release string
	tags                 []string
	client               client
	public, bookmarked   bool
	conversation         *conversation
}

// jitter is how far the start of a row may be from its order of arrival, in microseconds in either direction.
const jitter = 10_000_000

// beginTrace makes the stream's next trace the current one.
func (g *Generator) beginTrace(s *stream, length int) *trace {
	n, v := s.traces, g.values
	s.traces++
	t := &s.trace
	*t = trace{
		key: s.traceKey(n), id: s.traceID(n),
		length: length, left: length,
		name: pick(g.rng, v.traceNames), user: skewed(g.rng, v.users),
		environment: pick(g.rng, v.environments), release: pick(g.rng, v.releases),
		tags: pick(g.rng, v.tagSets), client: skewed(g.rng, v.clients),
		public: g.rng.IntN(100) == 0, bookmarked: g.rng.IntN(200) == 0,
	}
	// Nothing precedes the first rows.
	t.start = max(s.now()+domain.Micros(g.rng.Int64N(2*jitter)-jitter), domain.Micros(s.begin))
	if g.rng.IntN(10) < 7 {
		t.session = "session-" + string(appendHex(nil, mix(^s.key+uint64(n/5)))) //nolint:gosec // a count is not negative
	}
	return t
}

// row fills in everything that does not depend on the kind of row, and begins the strings of the row.
func (g *Generator) row(s *stream, o *domain.Observation, kind string) {
	t := &s.trace
	position := t.length - t.left
	t.left--
	*o = domain.Observation{
		TraceID: t.id, Type: kind, Name: pick(g.rng, g.values.names[kind]),
		Environment: t.environment, Version: "2026.5", Release: t.release, Level: pick(g.rng, g.values.levels),
		TraceName: t.name, UserID: t.user, SessionID: t.session, Tags: t.tags, Public: t.public, Bookmarked: t.bookmarked,
		Source: "otel", IngestionKey: s.project + "-key",
		SDKName: t.client.sdk, SDKVersion: t.client.sdkVersion,
		ServiceName: t.client.service, ServiceVersion: t.client.serviceVersion,
		ScopeName: t.client.scope, ScopeVersion: t.client.scopeVersion,
		TelemetryLanguage: t.client.language, TelemetryName: t.client.telemetry, TelemetryVersion: t.client.telemetryVersion,
	}
	o.ID = string(appendHex(make([]byte, 0, 16), mix(t.key+1+uint64(position)))) //nolint:gosec // a count is not negative
	if position == 0 {
		t.root = o.ID
		o.StartTime = t.start
	} else {
		o.ParentID = t.root
		o.StartTime = t.start + domain.Micros(position)*250_000 + domain.Micros(g.rng.Int64N(250_000))
	}
	if kind != "EVENT" {
		o.EndTime = o.StartTime + domain.Micros(2_000+g.rng.ExpFloat64()*300_000)
	}
	if o.Level == "WARNING" || o.Level == "ERROR" {
		o.StatusMessage = g.text.cut(g.rng, 80)
	}
}

// arrive sets when the store received the row, and assigns its strings.
func (g *Generator) arrive(s *stream, o *domain.Observation) {
	o.CreatedAt = max(s.now(), o.StartTime, o.EndTime) + 1_500_000
	o.UpdatedAt = o.CreatedAt
	g.fields.finish()
}
