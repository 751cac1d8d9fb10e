package vocabularies

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// A file is a line with the format's name and a Zstandard frame with a checksum, of
//
//	4 bytes             the number of ids, little-endian
//	1 byte for each     the length of its token, by ascending id; 0 when the id is not in use
//	the rest            the tokens, one after the other
//
// The order of the ids makes it needless to write them. A tenth could be saved by sorting the tokens and leaving out what
// they begin with in common, at the price of ids and of a reader that has to put all that together again. Lengths apart
// from texts save five per cent, and texts are in memory what they are in the file.

// Format names the format and its version.
const Format = "almanac vocabulary 1"

// magic is what files begin with.
const magic = Format + "\n"

// maxContent is the size of the largest content of a file that is read.
const maxContent = 4 + MaxTokens + 8<<20

// Encode returns the file of a list. It is an error if the list has more than MaxTokens, or a token of more than 255 bytes.
func Encode(l *List) ([]byte, error) {
	if l.Len() > MaxTokens {
		return nil, fmt.Errorf("write a vocabulary of %d tokens: at most %d are possible", l.Len(), MaxTokens)
	}
	content := binary.LittleEndian.AppendUint32(nil, uint32(l.Len())) //nolint:gosec // at most MaxTokens
	for id := range uint32(l.Len()) {                                 //nolint:gosec // at most MaxTokens
		size := len(l.Token(id))
		if size > maxToken {
			return nil, fmt.Errorf("write a vocabulary with a token of %d bytes: at most %d are possible", size, maxToken)
		}
		content = append(content, byte(size))
	}
	content = append(content, l.text...)
	if len(content) > maxContent {
		return nil, fmt.Errorf("write a vocabulary of %d bytes: at most %d are possible", len(content), maxContent)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("compress a vocabulary: %w", err)
	}
	return encoder.EncodeAll(content, []byte(magic)), nil
}

// appendFile adds the tokens of a file. The list is as it was after an error.
func (l *List) appendFile(file []byte) error {
	frame, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok {
		return fmt.Errorf("the file does not begin with %q", magic)
	}
	content, err := decompress(frame)
	if err != nil {
		return fmt.Errorf("decompress: %w", err)
	}
	if len(content) < 4 {
		return errors.New("the file has no number of tokens")
	}
	count, content := int(binary.LittleEndian.Uint32(content)), content[4:]
	if count > len(content) || l.Len()+count > MaxTokens {
		return fmt.Errorf("%d tokens in a file of %d bytes after %d others: at most %d are possible", count, len(content), l.Len(), MaxTokens)
	}
	lengths, text := content[:count], content[count:]
	total := 0
	for _, size := range lengths {
		total += int(size)
	}
	if total != len(text) {
		return fmt.Errorf("tokens have %d bytes, and %d are there", total, len(text))
	}
	end := len(l.text)
	l.text = append(slices.Grow(l.text, len(text)), text...)
	l.ends = slices.Grow(l.ends, count)
	for _, size := range lengths {
		end += int(size)
		l.ends = append(l.ends, uint32(end)) //nolint:gosec // at most MaxTokens of maxToken bytes, 64 MB
	}
	return nil
}

func decompress(frame []byte) ([]byte, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxContent))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return decoder.DecodeAll(frame, nil)
}
