package otlpgrpc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"

	"almanac/internal/ingest"
)

// answer is an encoded response message.
type answer []byte

// codec passes answers through as they are, and uses the protobuf codec for messages of other services.
type codec struct{ encoding.CodecV2 }

// Marshal implements encoding.CodecV2.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	if a, ok := v.(answer); ok {
		return mem.BufferSlice{mem.SliceBuffer(a)}, nil
	}
	return c.CodecV2.Marshal(v)
}

// incoming is the stream below a grpc.ServerStream, from which messages are read. RecvMsg of a grpc.ServerStream lets
// the client send a whole message before its length is known. When read in pieces, a client can only continue to send
// as memory is taken from the budget. These methods are not part of the documented interface, but TestExport fails
// without them.
type incoming interface {
	ReadMessageHeader(header []byte) error
	Read(n int) (mem.BufferSlice, error)
	RecvCompress() string
}

// A message is preceded by a compression flag of one byte and its length in four bytes.
const (
	prefixLength = 5

	plain  = 0
	packed = 1
)

// incomingOf returns the stream that the message of a call is read from.
func incomingOf(ctx context.Context) (incoming, error) {
	stream, ok := grpc.ServerTransportStreamFromContext(ctx).(incoming)
	if !ok {
		return nil, errors.New("BUG: this version of gRPC does not let messages be read piece by piece")
	}
	return stream, nil
}

// receive reads the single message of a call, up to limit bytes, and returns its compression.
func receive(ctx context.Context, stream incoming, into *ingest.Body, limit int64) (compression string, err error) {
	var prefix [prefixLength]byte
	if err := stream.ReadMessageHeader(prefix[:]); err != nil {
		return "", asReadError(ctx, err)
	}
	flag, length := prefix[0], int64(binary.BigEndian.Uint32(prefix[1:]))
	switch {
	case flag == packed:
		if compression = stream.RecvCompress(); compression == "" || compression == encoding.Identity {
			return "", malformed("it is marked as compressed, but grpc-encoding does not say how")
		}
	case flag != plain:
		return "", malformed(fmt.Sprintf("it begins with the byte %d, which is neither %d nor %d", flag, plain, packed))
	}
	if length > limit {
		return "", ingest.Oversized(limit)
	}
	if err := into.Read(ctx, &pieces{stream, length}, length, limit); err != nil {
		return "", asReadError(ctx, err)
	}
	switch err := stream.ReadMessageHeader(prefix[:1]); {
	case err == nil:
		return "", malformed("something follows it")
	case !errors.Is(err, io.EOF):
		return "", asReadError(ctx, err)
	}
	return compression, nil
}

// pieces reads a message in pieces that fit into the reader's buffer.
type pieces struct {
	stream incoming
	left   int64
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	data, err := p.stream.Read(int(min(p.left, int64(len(b)), StreamWindow/2)))
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	n := data.CopyTo(b)
	data.Free()
	p.left -= int64(n)
	return n, nil
}

// asReadError converts an error from reading a message.
func asReadError(ctx context.Context, err error) error {
	var refused *ingest.Error
	switch {
	case errors.As(err, &refused):
		return err
	case errors.Is(context.Cause(ctx), errSlow), errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errSlow
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("it ends too early")
	}
	return status.Error(codes.Canceled, "The client is gone")
}

// errSlow is returned for a message that takes too long to arrive.
var errSlow = status.Error(codes.DeadlineExceeded, "The export took too long to arrive")

// malformed returns the error for a message that violates the gRPC framing.
func malformed(what string) error {
	return status.Error(codes.Internal, "The message of the call cannot be read: "+what)
}

type cancelKey struct{}

// makeCancelable adds a cancel function for cancelOf to the context of a call. It aborts the call, including the
// receiving of its message.
func makeCancelable(ctx context.Context, _ *tap.Info) (context.Context, error) {
	ctx, cancel := context.WithCancelCause(ctx) // canceled with the context of the transport at the latest
	return context.WithValue(ctx, cancelKey{}, cancel), nil
}

func cancelOf(ctx context.Context) context.CancelCauseFunc {
	return ctx.Value(cancelKey{}).(context.CancelCauseFunc) //nolint:forcetypeassert // every call has one
}
