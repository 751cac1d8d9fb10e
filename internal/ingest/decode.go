package ingest

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"

	"almanac/internal/otlp"
)

const (
	// itemMemory is about what a decoded attribute, event or list item takes.
	itemMemory = 100
	// usualItem is how many bytes of a body there are for each of its items, or more, in what tracing libraries send.
	usualItem = 64
)

// decode reads the body. An item of it may be as short as two bytes, so what is decoded can be much larger than the body;
// memory is reserved for as many items as are usual, and if there are more, for more.
func (p *Pipeline) decode(ctx context.Context, r *Request, work *Reservation, e *otlp.Export) error {
	body := r.Body.Bytes()
	decode, failed := e.DecodeProtobuf, "Failed to parse OTel Protobuf Trace"
	if r.Encoding == JSON {
		decode, failed = e.DecodeJSON, "Failed to parse OTel JSON Trace"
	}
	if err := work.Grow(ctx, textMemory(r.Encoding, body)); err != nil {
		return err
	}
	limits, reserved := p.options.Limits, 0
	for items := len(body)/usualItem + 1000; ; items *= 8 {
		limits.Items = min(items, p.options.Limits.Items)
		if err := work.Grow(ctx, int64(limits.Items-reserved)*itemMemory); err != nil {
			return err
		}
		reserved = limits.Items
		err := decode(body, limits)
		if err == nil {
			return nil
		}
		limit, ok := errors.AsType[*otlp.LimitError](err)
		if !ok {
			return Refuse(failed, err)
		}
		if limit.Limit != limits.Items || limits.Items == p.options.Limits.Items {
			return Refuse("Invalid OTLP trace export: "+limit.Error()+". Send fewer spans at once.", nil)
		}
	}
}

// textMemory is how much memory the texts of an export take at most that are not parts of its body. For all but large
// exports there is room for them in what is reserved from the beginning.
func textMemory(encoding Encoding, body []byte) int64 {
	const large = 4 << 20
	switch {
	case encoding == JSON:
		return int64(len(body)) // without escapes texts are shorter
	case len(body) < large:
		return 0
	}
	return escapeGrowth * int64(controlBytes(body)) // lists of pairs are kept as JSON
}

// escapeGrowth is how much longer a byte becomes that JSON writes as \u0000.
const escapeGrowth = int64(len(`\u0000`)) - 1

// controlBytes counts the bytes below a blank, which JSON has to escape. It looks at eight at once.
func controlBytes(text []byte) int {
	const (
		ones = 0x0101010101010101
		low  = 0x7f * ones
		high = 0x80 * ones
		add  = (0x80 - ' ') * ones
	)
	count := 0
	for ; len(text) >= 8; text = text[8:] {
		x := binary.LittleEndian.Uint64(text)
		// The upper bit of a byte is set in the sum if its lower seven are at least a blank.
		count += bits.OnesCount64(^(((x & low) + add) | x) & high)
	}
	for _, c := range text {
		if c < ' ' {
			count++
		}
	}
	return count
}
