package llm

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

// readFrames reads Amazon's binary event stream until an event is the last, or the stream ends. The name of an exception has
// "exception:" in front.
func readFrames(body io.Reader, each func(name string, data []byte) (last bool, err error)) (bool, error) {
	source := &remembering{Reader: body}
	in, decoder := bufio.NewReaderSize(source, 16<<10), eventstream.NewDecoder()
	var buffer []byte
	for {
		prefix, err := in.Peek(4)
		if errors.Is(err, io.EOF) && len(prefix) == 0 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if binary.BigEndian.Uint32(prefix) > maxEvent {
			return false, errTooLong
		}
		message, err := decoder.Decode(in, buffer)
		if err != nil {
			if source.err != nil {
				return false, source.err
			}
			return false, &Error{Kind: Malformed, Message: "The provider sends a stream that is not what its API documents."}
		}
		buffer = message.Payload[:0]
		text := func(name string) string {
			if value := message.Headers.Get(name); value != nil {
				return value.String()
			}
			return ""
		}
		name := text(":event-type")
		switch text(":message-type") {
		case "exception":
			name = "exception:" + text(":exception-type")
		case "error":
			name = "exception:" + text(":error-code")
		}
		if last, err := each(name, message.Payload); last || err != nil {
			return last, err
		}
	}
}

// remembering is a reader that remembers why it ended: the decoder wraps such errors in its own.
type remembering struct {
	io.Reader
	err error
}

// Read reads.
func (r *remembering) Read(into []byte) (int, error) {
	n, err := r.Reader.Read(into)
	if err != nil {
		r.err = err
	}
	if errors.Is(err, io.EOF) {
		r.err = io.ErrUnexpectedEOF
	}
	return n, err
}
