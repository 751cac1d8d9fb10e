package otlpfiles

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"almanac/internal/ingest"
)

// MostMessage is the highest allowed limit for the size of messages. Above it, the length prefix of a message could not
// be distinguished from a line of JSON.
const MostMessage = 128 << 20

// zstdWindow is the maximum zstd window, which bounds memory. It covers what the Collector's strongest level uses.
const zstdWindow = 64 << 20

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	byteOrder = []byte("\xef\xbb\xbf")
)

// errCut is returned if a file ends in the middle of a message, because its writer was stopped.
var errCut = errors.New("the file ends in the middle of it")

// messages reads the messages of a file: lines of JSON, or length-prefixed messages.
type messages struct {
	file     *os.File
	from     *bufio.Reader
	modified time.Time
	framed   bool
	limit    int64
	message  []byte
	unpacked []byte
	zstd     *zstd.Decoder // for single messages
	closers  []func()
}

// openMessages opens a file in any of these forms. The Collector compresses single messages or, if configured, the
// whole file.
func openMessages(path string, limit int64) (_ *messages, err error) {
	m := &messages{limit: limit}
	if m.file, err = os.Open(path); err != nil { //nolint:gosec // the operator names the file
		return nil, err
	}
	m.closers = append(m.closers, func() { _ = m.file.Close() })
	defer func() {
		if err != nil {
			m.close()
		}
	}()
	about, err := m.file.Stat()
	if err != nil {
		return nil, err
	}
	if about.IsDir() {
		return nil, fmt.Errorf("%s is a directory: pass the files in it instead", path)
	}
	m.modified = about.ModTime()
	m.from = bufio.NewReaderSize(m.file, 256<<10)
	for range 2 { // twice, for files compressed again for archiving
		if err := m.unpack(); err != nil {
			return nil, fmt.Errorf("cannot decompress %s: %w", path, err)
		}
	}
	if start, err := m.peek(len(byteOrder)); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	} else if bytes.Equal(start, byteOrder) {
		_, _ = m.from.Discard(len(byteOrder))
	}
	start, err := m.peek(1)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	m.framed = len(start) > 0 && !bytes.ContainsAny(start, "{ \t\r\n")
	return m, nil
}

// peek returns the first n bytes of the file, or fewer if it is shorter.
func (m *messages) peek(n int) ([]byte, error) {
	start, err := m.from.Peek(n)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return start, err
}

// unpack replaces the reader by a decompressing one if the file is compressed.
func (m *messages) unpack() error {
	start, err := m.peek(len(zstdMagic))
	if err != nil {
		return err
	}
	var unpacked io.Reader
	switch {
	case bytes.HasPrefix(start, gzipMagic):
		if unpacked, err = gzip.NewReader(m.from); err != nil {
			return err
		}
	case bytes.Equal(start, zstdMagic):
		decoder, err := zstd.NewReader(m.from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return err
		}
		m.closers = append(m.closers, decoder.Close)
		unpacked = decoder
	default:
		return nil
	}
	m.from = bufio.NewReaderSize(unpacked, 256<<10)
	return nil
}

func (m *messages) close() {
	for n := range m.closers {
		m.closers[len(m.closers)-1-n]()
	}
}

// next returns the next message, valid until the following call, or io.EOF after the last. A skipped message may still
// be compressed.
func (m *messages) next(skip bool) ([]byte, error) {
	if !m.framed {
		return m.line()
	}
	packed, err := m.frame()
	if err != nil || skip || !bytes.HasPrefix(packed, zstdMagic) {
		return packed, err
	}
	if m.zstd == nil {
		if m.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderMaxMemory(uint64(m.limit))); err != nil { //nolint:gosec // a size
			return nil, err
		}
		m.closers = append(m.closers, m.zstd.Close)
	}
	m.unpacked, err = m.zstd.DecodeAll(packed, m.unpacked[:0])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, m.tooLong()
	case err != nil:
		return nil, fmt.Errorf("it cannot be decompressed: %w", err)
	}
	return m.unpacked, nil
}

// line returns the next line. An empty line is an empty message.
func (m *messages) line() ([]byte, error) {
	m.message = m.message[:0]
	for {
		part, err := m.from.ReadSlice('\n')
		if int64(len(m.message)+len(part)) > m.limit+1 {
			return nil, m.tooLong()
		}
		m.message = append(m.message, part...)
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(m.message) > 0:
			return bytes.TrimSpace(m.message), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// frame returns the next length-prefixed message.
func (m *messages) frame() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(m.from, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errCut
		}
		return nil, err
	}
	length := int64(binary.BigEndian.Uint32(head[:]))
	if length > m.limit {
		return nil, fmt.Errorf("its length is %d bytes, and the limit (--max-message) is %d; if messages are not that long, "+
			"the file does not contain OTLP messages, or it is damaged", length, m.limit)
	}
	if int64(cap(m.message)) < length {
		m.message = make([]byte, length)
	}
	m.message = m.message[:length]
	if _, err := io.ReadFull(m.from, m.message); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errCut
		}
		return nil, err
	}
	return m.message, nil
}

func (m *messages) tooLong() error {
	return fmt.Errorf("it is longer than the limit of %d bytes (--max-message)", m.limit)
}

// encodingOf distinguishes JSON from protobuf, in which no message begins with a brace.
func encodingOf(message []byte) ingest.Encoding {
	if message[0] == '{' {
		return ingest.JSON
	}
	return ingest.Protobuf
}
