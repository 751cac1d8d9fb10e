package ingest

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

const (
	// itemMemory is the approximate size in memory of a decoded attribute, event or list item.
	itemMemory = 100
	// usualItem is the minimum number of body bytes per item in what tracing libraries usually send.
	usualItem = 64
)

// decode decodes the body. An item may be as short as two bytes, so the decoded form can be much larger than the body.
// Memory is reserved for the usual number of items first, and for more only if there are more.
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
	limits.Times = p.times()
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

// times returns the times at which spans may start; nil for any.
func (p *Pipeline) times() *otlp.TimeRange {
	if p.options.Times == (domain.TimeWindow{}) {
		return nil
	}
	const farthest = math.MaxInt64 / 1000 // microseconds of what 64 bits can hold in nanoseconds
	earliest, latest := p.options.Times.Bounds(domain.MicrosOf(p.options.Clock()))
	return &otlp.TimeRange{Earliest: int64(max(earliest, -farthest)) * 1000, Latest: int64(min(latest, farthest)) * 1000}
}

// textMemory returns the maximum memory needed for strings of an export that are not slices of its body. Except for
// large exports, the initial reservation has room for them.
func textMemory(encoding Encoding, body []byte) int64 {
	const large = 4 << 20
	switch {
	case encoding == JSON:
		return int64(len(body)) // unescaped strings are shorter
	case len(body) < large:
		return 0
	}
	return escapeGrowth * int64(controlBytes(body)) // key-value lists are kept as JSON
}

// escapeGrowth is the number of bytes added when JSON escapes a byte as \u0000.
const escapeGrowth = int64(len(`\u0000`)) - 1

// controlBytes counts the bytes below ' ', which JSON must escape, eight at a time.
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
		// The high bit of a byte in the sum is set if its low seven bits are at least ' '.
		count += bits.OnesCount64(^(((x & low) + add) | x) & high)
	}
	for _, c := range text {
		if c < ' ' {
			count++
		}
	}
	return count
}
