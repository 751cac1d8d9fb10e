package otlpfiles

import (
	"errors"
	"fmt"
	"io"

	"almanac/internal/ingest"
)

// EachMessage calls each with the messages of a file: where they are, for reports, and their content type. A message is
// valid until each returns; an error of each ends the file. Cut reports that the file ends in the middle of a message.
func EachMessage(path string, limit int64, each func(where, contentType string, message []byte) error) (cut bool, err error) {
	m, err := openMessages(path, limit)
	if err != nil {
		return false, err
	}
	defer m.close()
	for number := 1; ; number++ {
		message, err := m.next(false)
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case errors.Is(err, errCut):
			return true, nil
		}
		where := fmt.Sprintf("%s, message %d", path, number)
		if err == nil && len(message) > 0 {
			contentType := "application/x-protobuf"
			if encodingOf(message) == ingest.JSON {
				contentType = "application/json"
			}
			err = each(where, contentType, message)
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", where, err)
		}
	}
}
