package otlpgrpc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"almanac/internal/ingest"
)

// A message comes after a byte that says whether it is compressed, and its length in four bytes.
const (
	prefixLength = 5

	plain  = 0
	packed = 1
)

// readMessage reads the only message of a call, of at most limit bytes, and tells whether it is compressed.
func readMessage(ctx context.Context, r io.Reader, into *ingest.Body, limit int64) (compressed bool, err error) {
	var prefix [prefixLength]byte
	if _, err := io.ReadFull(r, prefix[:]); err != nil {
		return false, asReadError(err)
	}
	flag, length := prefix[0], int64(binary.BigEndian.Uint32(prefix[1:]))
	switch {
	case flag != plain && flag != packed:
		return false, malformed(fmt.Sprintf("it begins with the byte %d, which is neither %d nor %d", flag, plain, packed))
	case length > limit:
		return false, ingest.Oversized(limit)
	}
	// One byte more would belong to a second message.
	if err := into.Read(ctx, io.LimitReader(r, length+1), length, limit); err != nil {
		return false, asReadError(err)
	}
	switch got := int64(len(into.Bytes())); {
	case got < length:
		return false, asReadError(io.ErrUnexpectedEOF)
	case got > length:
		return false, malformed("something follows it")
	}
	return flag == packed, nil
}

// asReadError returns the error of a message that cannot be read.
func asReadError(err error) error {
	var refused *ingest.Error
	switch {
	case errors.As(err, &refused), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &failure{code: deadlineExceeded, message: "The export took too long to arrive"}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("it ends too early")
	}
	return &failure{code: canceled, message: "The client is gone"}
}

// malformed is the error of a message that is not as gRPC wants it.
func malformed(what string) error {
	return &failure{code: internal, message: "The message of the call cannot be read: " + what}
}
