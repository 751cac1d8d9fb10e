package otlp

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

func TestPartialSuccess(t *testing.T) {
	for name, test := range map[string]struct {
		rejected int
		message  string
		json     string
	}{
		"nothing":    {0, "", `{}`},
		"both":       {2, `bad "spans"`, `{"partialSuccess":{"rejectedSpans":"2","errorMessage":"bad \"spans\""}}`},
		"count only": {300, "", `{"partialSuccess":{"rejectedSpans":"300"}}`},
		"a warning":  {0, "careful", `{"partialSuccess":{"errorMessage":"careful"}}`},
		"not UTF-8":  {1, "\xff", "{\"partialSuccess\":{\"rejectedSpans\":\"1\",\"errorMessage\":\"\uFFFD\"}}"},
		"a long text": {
			1, string(make([]byte, 200)), `{"partialSuccess":{"rejectedSpans":"1","errorMessage":"` + strings.Repeat(`\u0000`, 200) + `"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(AppendPartialSuccessJSON([]byte("x"), test.rejected, test.message)); got != "x"+test.json {
				t.Errorf("JSON %s, want x%s", got, test.json)
			}
			body := AppendPartialSuccessProtobuf([]byte("x"), test.rejected, test.message)
			rejected, message := readPartialSuccess(t, body[1:])
			if body[0] != 'x' || rejected != uint64(test.rejected) || message != validUTF8(test.message) {
				t.Errorf("protobuf %x: rejected %d, message %q", body, rejected, message)
			}
		})
	}
}

// readPartialSuccess decodes an ExportTraceServiceResponse.
func readPartialSuccess(t *testing.T, body []byte) (rejected uint64, message string) {
	t.Helper()
	if len(body) == 0 {
		return 0, ""
	}
	number, kind, n := protowire.ConsumeTag(body)
	if number != 1 || kind != protowire.BytesType {
		t.Fatalf("field %d of type %d, want partial_success", number, kind)
	}
	content, m := protowire.ConsumeBytes(body[n:])
	if m < 0 || n+m != len(body) {
		t.Fatalf("%d of %d bytes read", n+m, len(body))
	}
	for len(content) > 0 {
		number, _, n := protowire.ConsumeTag(content)
		content = content[n:]
		switch number {
		case 1:
			rejected, n = protowire.ConsumeVarint(content)
		case 2:
			message, n = protowire.ConsumeString(content)
		default:
			t.Fatalf("field %d", number)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		content = content[n:]
	}
	return rejected, message
}

// TestReadPartialSuccess reads what is written, and nothing from other answers.
func TestReadPartialSuccess(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		write := AppendPartialSuccessProtobuf
		if asJSON {
			write = AppendPartialSuccessJSON
		}
		for _, rejected := range []int{0, 1, 300} {
			if got, text := ReadPartialSuccess(write(nil, rejected, "why"), asJSON); got != rejected || text != "why" {
				t.Errorf("%d %q, want %d", got, text, rejected)
			}
		}
		for _, answer := range []string{"", "{}", "<html>", "\n\xff\xff", "\n\x02\x08", "\n\x02\x12\x09"} {
			if got, _ := ReadPartialSuccess([]byte(answer), asJSON); got != 0 {
				t.Errorf("%q means %d", answer, got)
			}
		}
	}
}
