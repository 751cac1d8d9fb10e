package otlp

import (
	"math/rand/v2"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// checkAgreement decodes an export in both encodings, reusing the memory of e.
func checkAgreement(t *testing.T, e *Export, data *tracepb.TracesData) {
	t.Helper()
	groups, spans, rejected := expected(data)
	check := func(encoding string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", encoding, err)
		}
		if d := diff(groups, e.ResourceSpans); d != "" {
			t.Fatalf("%s, want -, got +:\n%s", encoding, d)
		}
		if e.Spans != spans || e.Rejected != rejected || e.BadFields != 0 {
			t.Fatalf("%s: %d spans, %d rejected, %d bad fields; want %d, %d, 0",
				encoding, e.Spans, e.Rejected, e.BadFields, spans, rejected)
		}
	}
	check("protobuf", e.DecodeProtobuf(marshal(t, data), DefaultLimits()))
	check("JSON", e.DecodeJSON([]byte(toJSON(jsonExport(data))), DefaultLimits()))
}

// TestEncodingsAgree decodes random exports in both encodings and compares them with the generated types.
func TestEncodingsAgree(t *testing.T) {
	e := new(Export)
	for seed := range uint64(300) {
		if seed%7 == 0 {
			e.Reset()
		}
		checkAgreement(t, e, randomExport(rand.New(rand.NewPCG(seed, 1))))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
