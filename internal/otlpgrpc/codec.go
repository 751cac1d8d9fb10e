package otlpgrpc

import (
	"context"
	"fmt"

	"google.golang.org/grpc/mem"

	"almanac/internal/ingest"
)

// message is an export, or the answer to one, as bytes: the pipeline decodes exports itself.
type message struct {
	bytes []byte // of an answer

	// Of an export: where to put it, for how long that may take, and what went wrong. Errors are kept here because gRPC
	// would turn them into failures of the server.
	body  *ingest.Body
	ctx   context.Context //nolint:containedctx // a codec is not handed one
	limit int64
	err   error
}

// codec passes messages on as they are.
type codec struct{}

// Name is that of the only encoding that OTLP has over gRPC.
func (codec) Name() string { return "proto" }

// Marshal implements encoding.CodecV2.
func (codec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*message)
	if !ok {
		return nil, fmt.Errorf("BUG: cannot send a %T", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(m.bytes)}, nil
}

// Unmarshal implements encoding.CodecV2.
func (codec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(*message)
	if !ok {
		return fmt.Errorf("BUG: cannot receive a %T", v)
	}
	r := data.Reader()
	defer r.Close() //nolint:errcheck // it gives up references
	m.err = m.body.Read(m.ctx, r, int64(data.Len()), m.limit)
	return nil
}
