package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The log makes writes durable before they are acknowledged. It is a sequence of files, each belonging to one hot table
// and removed when that table has become a segment:
//
//	log-<number>.wal = "ALMLOG1\n" frame*
//	frame            = length u32, CRC-32C of payload u32, payload
//	payload          = record*, each with its length as a uvarint in front
//
// The first record of a file is an append of no rows with the sequence number of the first write to come. It shows
// whether something before it is missing: a log file, or the end of the manifest.
//
// A frame is one group commit: all records that one sync makes durable. Nothing is written after a frame until it is
// synced, so after a crash only the last frame can be incomplete, and none of its records was acknowledged: it is cut
// off. A bad frame with a good one behind it is damage, and refused.
const (
	logMagic    = "ALMLOG1\n"
	frameHeader = 8
	// maxFrame bounds what a damaged length can make us allocate.
	maxFrame = 1 << 30
	// maxLogBuffer is how much memory for frames is kept from one write to the next.
	maxLogBuffer = 8 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// logFile is the file that is written to.
type logFile struct {
	file   *os.File
	number int
	size   int64
	buffer []byte
	point  func(string)
}

func logName(number int) string { return fmt.Sprintf("log-%08d.wal", number) }

// createLog starts a new file for writes from a sequence number on. It exists durably when createLog returns.
func createLog(directory string, number int, seq uint64, point func(string)) (*logFile, error) {
	start := binary.AppendUvarint(binary.AppendUvarint(newRecord(recordAppend, ""), 0), 0)
	putSeq(start, seq)
	frame, err := logFrame(nil, [][]byte{start})
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(directory, logName(number)), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot create a log file: %w", err)
	}
	l := &logFile{file: file, number: number, point: point}
	if _, err := file.Write(append([]byte(logMagic), frame...)); err != nil {
		return nil, fmt.Errorf("cannot write to log file %s: %w", file.Name(), errors.Join(err, file.Close()))
	}
	l.size = int64(len(logMagic) + len(frame))
	if err := errors.Join(file.Sync(), syncDirectory(directory)); err != nil {
		return nil, fmt.Errorf("cannot sync log file %s: %w", file.Name(), errors.Join(err, file.Close()))
	}
	return l, nil
}

// logFrame makes a frame of records, in the memory of a buffer if that is large enough.
func logFrame(buffer []byte, records [][]byte) ([]byte, error) {
	size := frameHeader
	for _, r := range records {
		size += len(r) + binary.MaxVarintLen64
	}
	frame := slices.Grow(buffer[:0], size)[:frameHeader]
	for _, r := range records {
		frame = binary.AppendUvarint(frame, uint64(len(r)))
		frame = append(frame, r...)
	}
	payload := frame[frameHeader:]
	if len(payload) > maxFrame {
		return nil, fmt.Errorf("cannot write a frame of %d bytes to the log: at most %d are allowed", len(payload), maxFrame)
	}
	binary.LittleEndian.PutUint32(frame, uint32(len(payload)))
	binary.LittleEndian.PutUint32(frame[4:], crc32.Checksum(payload, castagnoli))
	return frame, nil
}

// write appends a frame with these records and, if asked to, waits until it is on disk.
func (l *logFile) write(records [][]byte, sync bool) error {
	frame, err := logFrame(l.buffer, records)
	if err != nil {
		return err
	}
	if cap(frame) <= maxLogBuffer {
		l.buffer = frame
	}
	l.point("log-write")
	if _, err := l.file.Write(frame); err != nil {
		return fmt.Errorf("cannot write %d bytes to log file %s: %w", len(frame), l.file.Name(), err)
	}
	l.size += int64(len(frame))
	if !sync {
		return nil
	}
	return l.sync()
}

func (l *logFile) sync() error {
	l.point("log-sync")
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("cannot sync log file %s: %w", l.file.Name(), err)
	}
	l.point("log-synced")
	return nil
}

func (l *logFile) close() error { return l.file.Close() }

// logNumbers returns the numbers of the log files in a directory, in order.
func logNumbers(directory string) ([]int, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, e := range entries {
		text, ok := strings.CutPrefix(e.Name(), "log-")
		text, ok2 := strings.CutSuffix(text, ".wal")
		if !ok || !ok2 {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			continue
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers, nil
}

// replayLog calls each with every record of a file, in order; the record's memory stays valid. In the last file an
// incomplete frame at the end is cut off.
func replayLog(path string, last bool, each func(record []byte) error) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("cannot read log file: %w", err)
	}
	if len(content) < len(logMagic) && last {
		return truncateLog(path, 0) // the crash came before the file was complete
	}
	if !strings.HasPrefix(string(content[:min(len(content), len(logMagic))]), logMagic) {
		return fmt.Errorf("log file %s does not start as one: it is damaged, or of a newer version", path)
	}
	for offset := len(logMagic); offset < len(content); {
		payload, ok := frameAt(content, offset)
		if !ok {
			if !last || frameFollows(content, offset+1) {
				return fmt.Errorf("log file %s is damaged at offset %d: restore a backup, or move this log file and all later ones away and accept the loss of what they hold", path, offset)
			}
			return truncateLog(path, int64(offset))
		}
		for d := (decoder{src: payload}); len(d.src) > 0; {
			record := d.bytes()
			if d.failed {
				return fmt.Errorf("log file %s holds a frame at offset %d that makes no sense", path, offset)
			}
			if err := each(record); err != nil {
				return fmt.Errorf("log file %s, frame at offset %d: %w", path, offset, err)
			}
		}
		offset += frameHeader + len(payload)
	}
	return nil
}

// frameAt returns the payload of the frame at an offset, if there is a whole and undamaged one.
func frameAt(content []byte, offset int) ([]byte, bool) {
	if len(content)-offset < frameHeader {
		return nil, false
	}
	length := int(binary.LittleEndian.Uint32(content[offset:]))
	if length == 0 || length > len(content)-offset-frameHeader {
		return nil, false
	}
	payload := content[offset+frameHeader : offset+frameHeader+length]
	return payload, crc32.Checksum(payload, castagnoli) == binary.LittleEndian.Uint32(content[offset+4:])
}

// frameFollows says whether a good frame starts anywhere from the offset on.
func frameFollows(content []byte, offset int) bool {
	for ; offset < len(content)-frameHeader; offset++ {
		if !looksLikePayload(content[offset+frameHeader:]) {
			continue // saves the checksum, which would take for ever if it were computed at every offset
		}
		if _, ok := frameAt(content, offset); ok {
			return true
		}
	}
	return false
}

// looksLikePayload says whether bytes can be the start of a payload: an edit of the manifest, or a record of the log with
// a sequence number that can have been reached.
func looksLikePayload(b []byte) bool {
	if len(b) > 0 && b[0] == '{' {
		return true
	}
	_, n := binary.Uvarint(b)
	if n <= 0 || len(b) < n+recordSeq+8 {
		return false
	}
	record := b[n:]
	return (record[0] == recordAppend || record[0] == recordDelete) && binary.LittleEndian.Uint64(record[recordSeq:]) < 1<<48
}

func truncateLog(path string, size int64) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if size == 0 {
		_, err = file.WriteAt([]byte(logMagic), 0)
		size = int64(len(logMagic))
	}
	err = errors.Join(err, file.Truncate(size), file.Sync(), file.Close())
	if err != nil {
		return fmt.Errorf("cannot cut off the incomplete end of log file %s: %w", path, err)
	}
	return nil
}

// syncDirectory makes the names in a directory durable.
func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// writeFile writes a file and makes it durable. Its name is durable only after syncDirectory.
func writeFile(path string, write func(io.Writer) error) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(file.Sync(), file.Close())
}
