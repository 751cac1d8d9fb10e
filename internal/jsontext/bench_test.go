package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// chat is a typical text: messages with line breaks and quotes, and a few numbers.
var chat = `{"model": "gpt-4o", "temperature": 0.25, "messages": [` +
	strings.Repeat(`{"role": "user", "content": "Summarise the \"quarterly\" report.\n`+
		`It has several pages of ordinary prose, as people write it; most of it needs no escapes."}, `,
		12) + `{"role": "tool", "tokens": 1250, "ok": true, "n": null}]}`

// BenchmarkText compares each function with its counterpart in encoding/json.
func BenchmarkText(b *testing.B) {
	raw := []byte(chat)
	quoted := string(AppendString(nil, chat))
	rawQuoted := []byte(quoted)
	var out []byte
	var buffer bytes.Buffer
	run := func(name string, f func() bool) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(chat)))
			b.ReportAllocs()
			for b.Loop() {
				if !f() {
					b.Fatal("wrong")
				}
			}
		})
	}
	run("check", func() bool { return Valid(chat) })
	run("check/standard", func() bool { return json.Valid(raw) })
	run("members", func() bool {
		n := 0
		for m := MembersOf(chat); m.Next(); n++ {
		}
		return n == 3
	})
	run("members/checked", func() bool {
		m := CheckedMembersOf(chat)
		for m.Next() {
		}
		return m.Whole
	})
	run("members/standard", func() bool {
		var members map[string]json.RawMessage
		return json.Unmarshal(raw, &members) == nil && len(members) == 3
	})
	run("string", func() bool {
		out = AppendString(out[:0], chat)
		return len(out) == len(quoted)
	})
	run("string/standard", func() bool {
		text, err := Marshal(chat)
		return err == nil && len(text) == len(quoted)
	})
	run("unquote", func() bool {
		text, ok := Unquote(quoted)
		return ok && len(text) == len(chat)
	})
	run("unquote/standard", func() bool {
		var text string
		return json.Unmarshal(rawQuoted, &text) == nil && len(text) == len(chat)
	})
	run("compact", func() bool {
		out = AppendCompact(out[:0], chat, nil)
		return len(out) < len(chat)
	})
	run("compact/standard", func() bool {
		buffer.Reset()
		return json.Compact(&buffer, raw) == nil && buffer.Len() < len(chat)
	})
}

func BenchmarkNumber(b *testing.B) {
	numbers := []float64{0, 1, 1250, 0.25, 0.000123, 3.5e-9, 1234567.891}
	var out []byte
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, number := range numbers {
				out = AppendNumber(out[:0], number)
			}
		}
	})
	b.Run("standard", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, number := range numbers {
				if _, err := json.Marshal(number); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
