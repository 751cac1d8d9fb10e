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

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

const (
	// usualRatio is about how much longer a body is than it was sent.
	usualRatio = 8
	// A body that grows to more than bombRatio times its size is taken for a bomb, once it is larger than harmlessSize:
	// text that repeats itself does compress that well, but not for long.
	bombRatio    = 256
	harmlessSize = 8 << 20
	// zstdWindow is how far back a zstd body may refer, which is memory that a decompressor needs. Every implementation is
	// asked to support this much, and no encoder uses more unless told to.
	zstdWindow = 8 << 20
)

// decompressors unpack bodies. Those of zstd are large, so only as many work at once as there are processors.
type decompressors struct {
	gzip  sync.Pool
	zstd  sync.Pool
	turns chan struct{}
}

func newDecompressors() *decompressors {
	return &decompressors{turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Decompress returns the body unpacked as its Content-Encoding says; the packed one is released. A body that is not
// packed is returned as it is.
func (p *Pipeline) Decompress(ctx context.Context, packed *Body, contentEncoding string) (*Body, error) {
	coding, err := codingOf(contentEncoding)
	if err != nil {
		return nil, err
	}
	if coding == "" {
		return packed, nil
	}
	work, err := p.beginWork(ctx, usualRatio*int64(len(packed.Bytes())))
	if err != nil {
		return nil, err
	}
	unpacked := &Body{buffers: &p.buffers, reservation: work, work: work}
	if err := p.decompressors.unpack(ctx, coding, packed.Bytes(), unpacked, p.maxExport); err != nil {
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

// codingOf reads a Content-Encoding header; "" stands for a plain body.
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
	source := bytes.NewReader(packed)
	switch coding {
	case "gzip":
		return d.readGzip(ctx, source, into, limit)
	case "zstd":
		return d.readZstd(ctx, source, into, limit)
	}
	return readDeflate(ctx, source, into, limit)
}

func (d *decompressors) readGzip(ctx context.Context, source io.Reader, into *Body, limit int64) error {
	z, ok := d.gzip.Get().(*gzip.Reader)
	if !ok {
		z = new(gzip.Reader)
	}
	defer d.gzip.Put(z)
	if err := z.Reset(source); err != nil {
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF // an empty body is no gzip
		}
		return err
	}
	return into.Read(ctx, z, 0, limit)
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
		if z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow)); err != nil {
			return fmt.Errorf("cannot make a zstd decoder: %w", err)
		}
	}
	defer d.zstd.Put(z)
	if err := z.Reset(source); err != nil {
		return err
	}
	err := into.Read(ctx, z, 0, limit)
	return errors.Join(err, z.Reset(nil)) // let go of the source
}

// readDeflate reads what HTTP calls deflate, which is zlib, and what some clients send under that name, which is not.
func readDeflate(ctx context.Context, source *bytes.Reader, into *Body, limit int64) error {
	var header [2]byte
	_, _ = source.ReadAt(header[:], 0) // a shorter body fails below
	var z io.Reader
	if header[0]&0x0f == 8 && (uint(header[0])<<8|uint(header[1]))%31 == 0 {
		var err error
		if z, err = zlib.NewReader(source); err != nil {
			return err
		}
	} else {
		z = flate.NewReader(source)
	}
	return into.Read(ctx, z, 0, limit)
}
