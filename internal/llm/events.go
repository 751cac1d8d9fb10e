package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// readEvents reads server-sent events until one is the last, or the stream ends.
func readEvents(body io.Reader, each func(name string, data []byte) (last bool, err error)) (bool, error) {
	in := bufio.NewReaderSize(body, 16<<10)
	var name string
	var data []byte
	var filled bool
	tell := func() (bool, error) {
		if !filled {
			name = ""
			return false, nil
		}
		last, err := each(name, data)
		name, data, filled = "", data[:0], false
		return last, err
	}
	for {
		line, readErr := readLine(in, maxEvent-len(data))
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return false, readErr
		}
		switch {
		case len(line) == 0 && readErr == nil:
			if last, err := tell(); last || err != nil {
				return last, err
			}
		case bytes.HasPrefix(line, []byte("data:")):
			if filled {
				data = append(data, '\n')
			}
			filled = true
			data = append(data, bytes.TrimPrefix(line[len("data:"):], []byte(" "))...)
		case bytes.HasPrefix(line, []byte("event:")):
			name = string(bytes.TrimSpace(line[len("event:"):]))
		}
		if readErr != nil { // some servers leave the last line end out; others are cut within an event
			if filled && (json.Valid(data) || bytes.Equal(data, []byte("[DONE]"))) {
				return tell()
			}
			return false, nil
		}
	}
}

// readLine returns a line without its end, of at most the given number of bytes.
func readLine(in *bufio.Reader, most int) ([]byte, error) {
	var long []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(long)+len(part) > most {
			return nil, errTooLong
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, part...)
			continue
		}
		if long != nil {
			part = append(long, part...)
		}
		return bytes.TrimRight(part, "\r\n"), err
	}
}
