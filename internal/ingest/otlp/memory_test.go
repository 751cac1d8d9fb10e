package otlp

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

func TestSlab(t *testing.T) {
	var s slab[byte]
	var pieces [][]byte
	for round := range 3 {
		pieces = pieces[:0]
		for i := range 5000 {
			piece := s.take(i % 300)
			if len(piece) != i%300 || cap(piece) != len(piece) {
				t.Fatalf("round %d: %d bytes with room for %d, want %d", round, len(piece), cap(piece), i%300)
			}
			for j := range piece {
				if piece[j] != 0 {
					t.Fatalf("round %d: piece %d is not clear", round, i)
				}
				piece[j] = byte(i)
			}
			pieces = append(pieces, piece)
		}
		for i, piece := range pieces {
			if bytes.Count(piece, []byte{byte(i)}) != len(piece) {
				t.Fatalf("round %d: piece %d was overwritten", round, i)
			}
		}
		s.reset()
	}
	first := s.take(10)
	s.reset()
	if again := s.take(10); &again[0] != &first[0] {
		t.Error("memory that was taken back is not used again")
	}
	s.take(100 << 20)
	if got, most := cap(s.chunk), keepBytes[byte](); got > most {
		t.Errorf("%d bytes kept after a large piece, want at most %d", got, most)
	}
}

func TestListsInsideOneAnother(t *testing.T) {
	var l list[int]
	outer := l.start()
	l.push(1)
	inner := l.start()
	l.push(10)
	l.push(20)
	finished := l.finish(inner)
	l.push(2)
	abandoned := l.start()
	l.push(100)
	l.abandon(abandoned)
	l.push(3)
	if d := diff([]int{1, 2, 3}, l.finish(outer)); d != "" {
		t.Errorf("outer list, want -, got +:\n%s", d)
	}
	if d := diff([]int{10, 20}, finished); d != "" {
		t.Errorf("inner list, want -, got +:\n%s", d)
	}
	if l.finish(l.start()) != nil {
		t.Error("an empty list is not nil")
	}
}

// retained returns the memory that an export keeps, in bytes.
func retained(e *Export) int {
	b := &e.build
	return cap(e.ResourceSpans)*sizeOf[ResourceSpans]() + cap(b.scratch) + cap(b.buffer) + cap(b.texts.chunk) +
		(cap(b.scopes.stack)+cap(b.scopes.slab.chunk))*sizeOf[ScopeSpans]() +
		(cap(b.spans.stack)+cap(b.spans.slab.chunk))*sizeOf[Span]() +
		(cap(b.events.stack)+cap(b.events.slab.chunk))*sizeOf[Event]() +
		(cap(b.attributes.stack)+cap(b.attributes.slab.chunk))*sizeOf[Attribute]() +
		(cap(b.values.stack)+cap(b.values.slab.chunk))*sizeOf[Value]()
}

// TestResetLetsGo decodes giant requests of every kind and checks how much memory is kept.
func TestResetLetsGo(t *testing.T) {
	const many = 30_000
	limits := DefaultLimits()
	limits.Attributes, limits.Events = many, many
	e := new(Export)
	check := func(name string, err error, spans int) {
		t.Helper()
		if err != nil || e.Usable() != spans {
			t.Errorf("%s: %d usable spans, want %d; error %v", name, e.Usable(), spans, err)
		}
		e.Reset()
		if got, most := retained(e), 24<<20; got > most {
			t.Errorf("%s: %d bytes kept, want at most %d", name, got, most)
		}
		if len(e.ResourceSpans)+e.Spans+e.Rejected+e.BadFields+len(e.Problems) > 0 || e.PartialMessage() != "" {
			t.Errorf("%s: the export is not empty", name)
		}
	}
	escaped := strings.Repeat(`\n`, 5<<20)
	check("text", e.DecodeJSON([]byte(jsonSpan(`"attributes":[{"key":"k","value":{"stringValue":"`+escaped+`"}}]`)), limits), 1)
	check("JSON text", e.DecodeJSON([]byte(jsonSpan(`"attributes":[{"key":"k","value":{"x":"`+escaped+`"}}]`)), limits), 1)
	check("list", e.DecodeProtobuf(marshal(t, exportOf(spanOf(pair("k", listOf(manyItems(many)...))))), limits), 1)
	check("attributes", e.DecodeProtobuf(marshal(t, exportOf(spanOf(manyPairs(many)...))), limits), 1)
	check("spans", e.DecodeJSON([]byte(jsonSpans(strings.Repeat(`{"traceId":"t","spanId":"s"},`, many-1)+`{}`)), limits), many-1)
	check("events", e.DecodeJSON([]byte(jsonSpan(`"events":[`+strings.Repeat(`{},`, many-1)+`{}]`)), limits), 1)
	const span = `{"spans":[{"traceId":"t","spanId":"s"}]}`
	scopes := `{"resourceSpans":[{"scopeSpans":[` + strings.Repeat(span+`,`, many-1) + span + `]}]}`
	check("scopes", e.DecodeJSON([]byte(scopes), limits), many)
	resources := `{"resourceSpans":[` + strings.Repeat(`{"scopeSpans":[`+span+`]},`, many-1) + `{}]}`
	check("resources", e.DecodeJSON([]byte(resources), limits), many-1)
}

// TestResetForgetsTheBody checks that a pooled export does not keep a body alive.
func TestResetForgetsTheBody(t *testing.T) {
	e := new(Export)
	for seed := range uint64(50) {
		data := randomExport(rand.New(rand.NewPCG(seed, 2)))
		if err := e.DecodeProtobuf(marshal(t, data), DefaultLimits()); err != nil {
			t.Fatal(err)
		}
		e.Reset()
	}
	b := &e.build
	for i, s := range b.spans.slab.chunk[:cap(b.spans.slab.chunk)] {
		if s.Name != "" || s.Attributes != nil {
			t.Errorf("span %d is not cleared", i)
		}
	}
	for i, a := range b.attributes.slab.chunk[:cap(b.attributes.slab.chunk)] {
		if a.Key != "" || a.Value.Text != "" {
			t.Errorf("attribute %d is not cleared", i)
		}
	}
	for i, a := range b.attributes.stack[:cap(b.attributes.stack)] {
		if a.Key != "" || a.Value.Text != "" {
			t.Errorf("attribute %d of the stack is not cleared", i)
		}
	}
	for i, rs := range e.ResourceSpans[:cap(e.ResourceSpans)] {
		if rs.Resource.Attributes != nil || rs.ScopeSpans != nil {
			t.Errorf("group %d is not cleared", i)
		}
	}
}

// TestHostileBodiesAreCheap sends bodies that would take many times their size in memory if they were decoded naively.
func TestHostileBodiesAreCheap(t *testing.T) {
	const size = 1 << 20
	for name, test := range map[string]struct {
		body    string
		refused bool
	}{
		"list of numbers": {jsonSpan(`"x":[` + strings.Repeat("0,", size/2) + "0]"), false},
		"list of values": {
			jsonSpan(`"attributes":[{"key":"k","value":{"arrayValue":{"values":[` + strings.Repeat("0,", size/2) + "0]}}}]"), false,
		},
		"attributes":        {jsonSpan(`"attributes":[` + strings.Repeat("{},", size/3) + "{}]"), false},
		"groups":            {`{"resourceSpans":[` + strings.Repeat("0,", size/2) + "0]}", false},
		"spans":             {jsonSpans(strings.Repeat("0,", size/2) + "0"), true},
		"broken and nested": {strings.Repeat("[", 299) + "t" + strings.Repeat("\x01", size), true},
		"members of scope":  {`{"resourceSpans":[{"scopeSpans":[{"scope":{` + strings.Repeat(`"":0,`, size/5) + `"":0}}]}]}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			body := []byte(test.body)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := new(Export).DecodeJSON(body, DefaultLimits())
			runtime.ReadMemStats(&after)
			if (err != nil) != test.refused {
				t.Errorf("error %v, want one: %v", err, test.refused)
			}
			if err != nil && len(err.Error()) > 300 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 50<<20 {
				t.Errorf("%d MB allocated for a body of %d MB", allocated>>20, len(body)>>20)
			} else {
				t.Logf("%d MB allocated for a body of %d MB", allocated>>20, len(body)>>20)
			}
		})
	}
}
