package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"almanac/internal/ingest/inflate"
)

const (
	// usualRatio is the typical compression ratio of a body.
	usualRatio = 8
	// A body that expands to more than bombRatio times its size is treated as a decompression bomb once it exceeds
	// harmlessSize: repetitive text does compress that well, but not for long.
	bombRatio    = 256
	harmlessSize = 8 << 20
	// zstdWindow is the maximum zstd window size, which is memory that the decoder needs. Every implementation is expected
	// to support this size, and no encoder exceeds it unless told to.
	zstdWindow = 8 << 20
)

// decompressors decompress bodies. zstd decoders are large, so at most one per processor runs at a time.
type decompressors struct {
	decoders sync.Pool // DEFLATE decoders
	zstd     sync.Pool
	turns    chan struct{}
}

func newDecompressors() *decompressors {
	return &decompressors{turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Decompress returns the body decompressed according to its Content-Encoding and releases the compressed one. An
// uncompressed body is returned as is.
func (p *Pipeline) Decompress(ctx context.Context, packed *Body, contentEncoding string) (*Body, error) {
	coding, err := codingOf(contentEncoding)
	if err != nil {
		return nil, err
	}
	if coding == "" {
		return packed, nil
	}
	work, err := p.beginWork(ctx, packed.reservation.project, usualRatio*int64(len(packed.Bytes())))
	if err != nil {
		return nil, err
	}
	unpacked := &Body{buffers: &p.buffers, reservation: &work.Reservation, work: work}
	if err := p.decompressors.unpack(ctx, coding, packed.Bytes(), unpacked, p.options.MaxExport); err != nil {
		unpacked.Release()
		var ours *Error
		if errors.As(err, &ours) || ctx.Err() != nil {
			return nil, err
		}
		return nil, Refuse("Failed to decompress request body", err)
	}
	packed.Release()
	return unpacked, nil
}

// codingOf parses a Content-Encoding header; "" means an uncompressed body.
func codingOf(header string) (string, error) {
	var codings []string
	for part := range strings.SplitSeq(strings.ToLower(header), ",") {
		if part = strings.TrimSpace(part); part != "" && part != "identity" {
			codings = append(codings, part)
		}
	}
	if len(codings) == 0 {
		return "", nil
	}
	if len(codings) == 1 {
		for _, known := range []string{"gzip", "zstd", "deflate"} {
			if strings.Contains(codings[0], known) { // also x-gzip
				return known, nil
			}
		}
	}
	const longest = 100
	return "", Refuse(fmt.Sprintf("Unsupported content encoding %.*q: use gzip, zstd, deflate or none", longest, header), nil)
}

func (d *decompressors) unpack(ctx context.Context, coding string, packed []byte, into *Body, limit int64) error {
	if most := max(harmlessSize, bombRatio*int64(len(packed))); most < limit {
		err := d.read(ctx, coding, packed, into, most)
		var ours *Error
		if errors.As(err, &ours) && ours.Kind == TooLarge && int64(len(into.bytes)) > most {
			return tooLarge("The export grows to more than %d times its size when it is decompressed. Send fewer spans at once.", bombRatio)
		}
		return err
	}
	return d.read(ctx, coding, packed, into, limit)
}

func (d *decompressors) read(ctx context.Context, coding string, packed []byte, into *Body, limit int64) error {
	switch {
	case coding == "zstd":
		return d.readZstd(ctx, bytes.NewReader(packed), into, limit)
	case coding == "gzip":
		// The length in the gzip trailer is trusted up to the amount of memory reserved anyway.
		announced := min(int64(inflate.GzipLength(packed)), usualRatio*int64(len(packed)))
		return d.inflate(ctx, (*inflate.Decoder).Gzip, packed, into, announced, limit)
	case inflate.IsZlib(packed):
		return d.inflate(ctx, (*inflate.Decoder).Zlib, packed, into, 0, limit)
	}
	// HTTP's "deflate" means zlib, but some clients send raw DEFLATE data under that name.
	return d.inflate(ctx, (*inflate.Decoder).Raw, packed, into, 0, limit)
}

// inflateFormat decodes one of the container formats of DEFLATE data.
type inflateFormat func(d *inflate.Decoder, ctx context.Context, dst, packed []byte, grow inflate.Grow) ([]byte, error)

// inflate decompresses into a body that grows as output is written, and directly to announced bytes once that length is
// trusted.
func (d *decompressors) inflate(ctx context.Context, format inflateFormat, packed []byte, into *Body, announced, limit int64) error {
	decoder, ok := d.decoders.Get().(*inflate.Decoder)
	if !ok {
		decoder = new(inflate.Decoder)
	}
	defer d.decoders.Put(decoder)
	unpacked, err := format(decoder, ctx, nil, packed, func(full []byte) ([]byte, error) {
		into.bytes = into.bytes[:len(full)]
		if int64(len(full)) > limit {
			return nil, Oversized(limit)
		}
		if err := into.grow(ctx, announced, limit); err != nil {
			return nil, err
		}
		// The buffer may be larger, but one byte over the limit is enough to detect that it is exceeded.
		return into.bytes[:len(full):min(int64(cap(into.bytes)), limit+1)], nil
	})
	if err != nil {
		return err
	}
	into.bytes = into.bytes[:len(unpacked)]
	if int64(len(unpacked)) > limit {
		return Oversized(limit)
	}
	return nil
}

func (d *decompressors) readZstd(ctx context.Context, source io.Reader, into *Body, limit int64) error {
	select {
	case d.turns <- struct{}{}:
		defer func() { <-d.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	z, ok := d.zstd.Get().(*zstd.Decoder)
	if !ok {
		var err error
		if z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(zstdWindow)); err != nil {
			return fmt.Errorf("cannot make a zstd decoder: %w", err)
		}
	}
	defer d.zstd.Put(z)
	if err := z.Reset(source); err != nil {
		return err
	}
	err := into.Read(ctx, z, 0, limit)
	return errors.Join(err, z.Reset(nil)) // release the source
}
