package otlp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// shape describes the fields of a message that the decoder reads. Everything else is skipped.
type shape map[protowire.Number]field

type field struct {
	wire     protowire.Type
	message  func() shape // nil if it is not a message
	repeated bool
	text     bool
	oneof    bool
}

func messages(of func() shape) field {
	return field{wire: protowire.BytesType, message: of, repeated: true}
}
func message(of func() shape) field { return field{wire: protowire.BytesType, message: of} }

var (
	someBytes = field{wire: protowire.BytesType}
	someText  = field{wire: protowire.BytesType, text: true}
	varint    = field{wire: protowire.VarintType}
	fixed64   = field{wire: protowire.Fixed64Type}
)

func member(f field) field {
	f.oneof = true
	return f
}

func exportShape() shape   { return shape{1: messages(resourceSpansShape)} }
func resourceShape() shape { return shape{1: messages(pairShape)} }
func statusShape() shape   { return shape{2: someText, 3: varint} }
func eventShape() shape    { return shape{2: someText, 3: messages(pairShape)} }
func pairShape() shape     { return shape{1: someText, 2: message(valueShape)} }
func arrayShape() shape    { return shape{1: messages(valueShape)} }
func pairsShape() shape    { return shape{1: messages(pairShape)} }

func resourceSpansShape() shape {
	return shape{1: message(resourceShape), 2: messages(scopeSpansShape)}
}

func scopeSpansShape() shape { return shape{1: message(scopeShape), 2: messages(spanShape)} }

func scopeShape() shape { return shape{1: someText, 2: someText, 3: messages(pairShape)} }

func spanShape() shape {
	return shape{
		1: someBytes, 2: someBytes, 4: someBytes, 5: someText, 7: fixed64, 8: fixed64, 9: messages(pairShape),
		11: messages(eventShape), 15: message(statusShape),
	}
}

func valueShape() shape {
	return shape{
		1: member(someText), 2: member(varint), 3: member(varint), 4: member(fixed64), 5: member(message(arrayShape)),
		6: member(message(pairsShape)), 7: member(someBytes),
	}
}

// TestMessagesThatEndTooEarly appends an incomplete field to every kind of message that is read, at any depth. Such an
// export must be rejected as a whole.
func TestMessagesThatEndTooEarly(t *testing.T) {
	tried := 0
	var walk func(path string, of func() shape, depth int, wrap func(inner []byte) []byte)
	walk = func(path string, of func() shape, depth int, wrap func(inner []byte) []byte) {
		tried++
		if err := new(Export).DecodeProtobuf(wrap([]byte{1<<3 | byte(protowire.BytesType)}), DefaultLimits()); err == nil {
			t.Errorf("a message at %s that ends in a field is taken", path)
		}
		if depth == 0 {
			return
		}
		for number, f := range of() {
			if f.message == nil {
				continue
			}
			walk(fmt.Sprint(path, "/", number), f.message, depth-1, func(inner []byte) []byte {
				return wrap(protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), inner))
			})
		}
	}
	walk("", exportShape, 9, func(inner []byte) []byte { return inner })
	if tried < 50 {
		t.Errorf("only %d messages were tried", tried)
	}
}

// pruned describes a message reduced to the fields that the decoder reads, with valid strings, so that generated types
// accept it.
type pruned struct {
	groups bool // it has groups, which are deprecated
	merged bool // it repeats messages that generated types merge
	depth  int
}

// prune copies a message. It fails if generated types reading the same fields would.
func (p *pruned) prune(dst, data []byte, of shape, depth int) ([]byte, error) {
	p.depth = max(p.depth, depth)
	seen := map[protowire.Number]bool{}
	members := 0
	for len(data) > 0 {
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		if number > protowire.MaxValidNumber {
			return nil, errors.New("no field has this number")
		}
		m := protowire.ConsumeFieldValue(number, wire, data[n:])
		if m < 0 {
			return nil, protowire.ParseError(m)
		}
		value := data[n : n+m]
		data = data[n+m:]
		p.groups = p.groups || wire == protowire.StartGroupType
		f, known := of[number]
		if !known || f.wire != wire {
			continue
		}
		if f.oneof {
			members++
			p.merged = p.merged || members > 1
		}
		p.merged = p.merged || seen[number] && f.message != nil && !f.repeated
		seen[number] = true
		dst = protowire.AppendTag(dst, number, wire)
		if wire != protowire.BytesType {
			dst = append(dst, value...)
			continue
		}
		content, _ := protowire.ConsumeBytes(value)
		switch {
		case f.message != nil:
			inner, err := p.prune(nil, content, f.message(), depth+1)
			if err != nil {
				return nil, err
			}
			content = inner
		case f.text:
			content = []byte(strings.ToValidUTF8(string(content), "\uFFFD"))
		}
		dst = protowire.AppendBytes(dst, content)
	}
	return dst, nil
}

// smallExports returns small random exports as seeds, since these run faster.
func smallExports(f *testing.F) (exports []*tracepb.TracesData) {
	f.Helper()
	for seed := range uint64(1000) {
		data := randomExport(rand.New(rand.NewPCG(seed, 3)))
		if _, spans, rejected := expected(data); spans > rejected && proto.Size(data) < 500 {
			exports = append(exports, data)
		}
	}
	if len(exports) < 10 {
		f.Fatalf("only %d small exports", len(exports))
	}
	return exports
}

// FuzzProtobuf compares the decoder with generated types: both must accept a message and read the same, or both must
// refuse it.
func FuzzProtobuf(f *testing.F) {
	for _, data := range smallExports(f) {
		f.Add(marshal(f, data))
	}
	f.Add([]byte("\x0a\x0b\x12\x09\x12\x07\x0a\x01\x01\x12\x01\x02\x4b")) // a group
	f.Add([]byte("\xff\xff\xff\xff"))
	e := new(Export)
	f.Fuzz(func(t *testing.T, body []byte) { checkProtobuf(t, e, body) })
}

// TestDamagedProtobuf truncates exports everywhere and changes bytes of them.
func TestDamagedProtobuf(t *testing.T) {
	e := new(Export)
	r := rand.New(rand.NewPCG(1, 6))
	for range 20 {
		body := marshal(t, exportOf(randomSpan(r), randomSpan(r)))
		body = body[:min(len(body), 500)]
		for n := range body {
			checkProtobuf(t, e, body[:n])
		}
		for range 200 {
			damaged := bytes.Clone(body)
			for range 1 + r.IntN(3) {
				damaged[r.IntN(len(damaged))] = byte(r.Uint32())
			}
			checkProtobuf(t, e, damaged)
		}
	}
}

// checkProtobuf decodes arbitrary bytes.
func checkProtobuf(t *testing.T, e *Export, body []byte) {
	t.Helper()
	err := e.DecodeProtobuf(body, DefaultLimits())
	var p pruned
	plain, wantErr := p.prune(nil, body, exportShape(), 0)
	if wantErr != nil && proto.Unmarshal(body, new(tracepb.TracesData)) == nil {
		t.Fatalf("%x: generated types accept what is refused here: %v", body, wantErr)
	}
	checkSound(t, e)
	if p.groups || p.merged || p.depth > DefaultLimits().Depth {
		return // see DecodeProtobuf
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%x: error %v, want %v", body, err, wantErr)
	}
	if err != nil {
		return
	}
	data := new(tracepb.TracesData)
	if err := proto.Unmarshal(plain, data); err != nil {
		t.Fatalf("%x: generated types: %v", body, err)
	}
	groups, spans, rejected := expected(data)
	if d := diff(groups, e.ResourceSpans); d != "" {
		t.Errorf("%x: want -, got +:\n%s", body, d)
	}
	if e.Spans != spans || e.Rejected != rejected {
		t.Errorf("%x: %d spans, %d rejected; want %d, %d", body, e.Spans, e.Rejected, spans, rejected)
	}
}

// FuzzJSON compares the decoder with the standard library, which must accept the same bodies, and checks the results.
func FuzzJSON(f *testing.F) {
	for _, data := range smallExports(f) {
		f.Add([]byte(toJSON(jsonExport(data))))
	}
	f.Add([]byte(jsonSpan(`"attributes":[{"key":"k","value":{"intValue":{"high":0,"low":-1}}},{"key":"\ud800","value":{"x":[1, 2]}}]`)))
	f.Add([]byte(jsonSpans(`{"traceId":{"type":"Buffer","data":[1,2]},"spanId":[1]},{"traceId":5},null`)))
	e := new(Export)
	f.Fuzz(func(t *testing.T, body []byte) {
		err := e.DecodeJSON(body, DefaultLimits())
		checkSound(t, e)
		var limit *LimitError
		if errors.Is(err, errTooDeep) || errors.As(err, &limit) {
			return
		}
		var members map[string]json.RawMessage
		isObject := json.Unmarshal(body, &members) == nil && members != nil
		if isObject != (err == nil) {
			t.Fatalf("error %v; the standard library accepts it: %v", err, isObject)
		}
	})
}

// FuzzAgreement decodes one export in both encodings.
func FuzzAgreement(f *testing.F) {
	for _, data := range smallExports(f) {
		f.Add(marshal(f, data))
	}
	e := new(Export)
	f.Fuzz(func(t *testing.T, body []byte) {
		var p pruned
		plain, err := p.prune(nil, body, exportShape(), 0)
		data := new(tracepb.TracesData)
		if err != nil || p.depth > DefaultLimits().Depth || proto.Unmarshal(plain, data) != nil {
			return
		}
		if hasOddNumbers(data) {
			return
		}
		checkAgreement(t, e, data)
	})
}

// hasOddNumbers reports whether there are numbers that JSON lacks. They become null in protobuf and strings in JSON.
func hasOddNumbers(data *tracepb.TracesData) bool {
	return strings.Contains(toJSON(jsonExport(data)), `"doubleValue":"`)
}

// FuzzJSONText compares the decoding of strings with the standard library.
func FuzzJSONText(f *testing.F) {
	f.Add(`a\n\u00e9\ud83d\ude00`)
	f.Fuzz(func(t *testing.T, inside string) { checkJSONText(t, inside) })
}
