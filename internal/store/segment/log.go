package segment

import (
	"bytes"
	"crypto/rand"
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

	"almanac/internal/disk"
	"almanac/internal/platform"
	"almanac/internal/store"
)

// The log makes writes durable before they are acknowledged. It is a sequence of files, each of which belongs to one
// hot table and is removed when that table has become a segment:
//
//	log-<number>.wal = "ALMLOG1\n" mark, CRC-32C of the mark u32, frame*
//	payload          = record*, each with its length as a uvarint in front
//
// The first record of a file is an append of no rows with the sequence number of the next write. It reveals whether
// something before it is missing: a log file, or the end of the manifest.
//
// A frame is one group commit: all records made durable by one sync. Nothing is written after a frame until it is
// synced, so after a crash only the last frame can be incomplete, and none of its records was acknowledged: it is
// truncated. A bad frame followed by a good one is corruption, and the log is refused.
const (
	logMagic = "ALMLOG1\n"
	logHead  = len(logMagic) + len(mark{}) + 4
	// longRecord is the size from which a record is written directly from its own memory. Shorter records are copied
	// together.
	longRecord = 32 << 10
)

// logFile is the log file being written.
type logFile struct {
	file   *disk.File
	number int
	mark   mark
	size   int64
	buffer []byte
	point  func(string)
}

func logName(number int) string { return fmt.Sprintf("log-%08d.wal", number) }

// createLog creates a file for writes from a sequence number on, and calls register when it exists durably.
func createLog(d disk.Disk, directory string, number int, seq uint64, point func(string), register func(logID) error) (*logFile, error) {
	start := binary.AppendUvarint(binary.AppendUvarint(newRecord(recordAppend, "", 0), 0), 0)
	putSeq(start, seq)
	head := newLogHead()
	l := &logFile{number: number, mark: mark(head[len(logMagic) : len(logMagic)+len(mark{})]), point: point}
	parts, size, err := l.frame([][]byte{start})
	if err != nil {
		return nil, err
	}
	names, err := d.OpenDirectory(directory) // first, since descriptors may run out later
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoLog, err)
	}
	defer names.Close() //nolint:errcheck // only synced
	path := filepath.Join(directory, logName(number))
	if l.file, err = d.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoLog, err)
	}
	_, err = l.file.Write(append(head, slices.Concat(parts...)...))
	if err == nil {
		err = errors.Join(l.file.Sync(disk.LogHead), names.Sync(disk.LogName))
	}
	if err == nil {
		err = register(logID{number, l.mark[:]})
		if err != nil && !errors.Is(err, store.ErrDiskFull) { // the manifest may name it nevertheless
			return nil, errors.Join(err, l.file.Close())
		}
	}
	if err != nil {
		return nil, l.takeBack(names, d, err)
	}
	l.size = int64(logHead + size)
	return l, nil
}

// takeBack removes a log file that is not going to be used because of an error. The previous log stays in use and must
// be the last one: only the end of the last log may be incomplete.
func (l *logFile) takeBack(names *disk.Directory, d disk.Disk, err error) error {
	path := l.file.Name()
	err = fmt.Errorf("%w %s: %w", errNoLog, path, errors.Join(err, l.file.Close()))
	if stays := errors.Join(d.Remove(path), names.Sync(disk.LogTakenBack)); stays != nil {
		return fmt.Errorf("%w: %w", errLogStays, errors.Join(err, stays))
	}
	return err
}

var (
	// errNoLog means that a log file could not be created and does not exist.
	errNoLog = errors.New("cannot create a log file")
	// errLogStays means that a log file could not be created and a partial one may remain.
	errLogStays = errors.New("cannot remove an unfinished log file")
)

// errFrameTooLarge means that nothing was written.
var errFrameTooLarge = errors.New("cannot write a frame to the log")

// newLogHead returns the head of a log file, with an unpredictable mark.
func newLogHead() []byte {
	var m mark
	_, _ = rand.Read(m[:]) // never fails
	return logHeadOf(m)
}

func logHeadOf(m mark) []byte {
	return binary.LittleEndian.AppendUint32(append([]byte(logMagic), m[:]...), crc32.Checksum(m[:], castagnoli))
}

// frame builds a frame of records, as parts to be written in sequence. They are valid until the next call.
func (l *logFile) frame(records [][]byte) (parts [][]byte, size int, err error) {
	room := frameHeader
	for _, r := range records {
		room += binary.MaxVarintLen64
		if len(r) < longRecord {
			room += len(r)
		}
	}
	l.buffer = slices.Grow(l.buffer[:0], room)[:frameHeader]
	first := 0 // start of the bytes that are not in a part yet
	for _, r := range records {
		l.buffer = binary.AppendUvarint(l.buffer, uint64(len(r)))
		if len(r) < longRecord {
			l.buffer = append(l.buffer, r...)
			continue
		}
		parts = append(parts, l.buffer[first:], r)
		first = len(l.buffer)
	}
	if first < len(l.buffer) {
		parts = append(parts, l.buffer[first:])
	}
	for _, part := range parts {
		size += len(part)
	}
	if size-frameHeader > maxFrame {
		return nil, 0, fmt.Errorf("%w: it would have %d bytes, and at most %d are allowed", errFrameTooLarge, size-frameHeader, maxFrame)
	}
	putFrameHeader(parts, l.mark)
	return parts, size, nil
}

// write appends a frame with the given records and waits until it is on disk. After store.ErrDiskFull the log is
// unchanged.
func (l *logFile) write(records [][]byte) error {
	parts, size, err := l.frame(records)
	if err != nil {
		return err
	}
	l.point("log-write")
	for n, part := range parts {
		if n > 0 {
			l.point("log-part")
		}
		if _, err := l.file.Write(part); err != nil {
			return l.undoWrite(fmt.Errorf("cannot write %d bytes to log file %s: %w", size, l.file.Name(), err))
		}
	}
	l.size += int64(size)
	l.point("log-sync")
	if err := l.file.Sync(disk.LogCommit); err != nil {
		return fmt.Errorf("cannot sync log file %s: %w", l.file.Name(), err)
	}
	l.point("log-synced")
	return nil
}

// undoWrite truncates the remains of a failed write, if possible, and waits until that is durable: another log may
// follow before this one is synced again, and if the remains reappeared, the log would look corrupt.
func (l *logFile) undoWrite(err error) error {
	err = truncateFailedWrite(l.file, l.size, err)
	if errors.Is(err, store.ErrDiskFull) {
		if sync := l.file.Sync(disk.LogUnwritten); sync != nil {
			return fmt.Errorf("cannot sync log file %s: %w", l.file.Name(), sync)
		}
	}
	return err
}

// truncateFailedWrite truncates the remains of a write that failed because the disk is full, and then returns
// store.ErrDiskFull: nothing is lost, and writing can continue when there is space. After other failures the contents
// of the disk are unknown.
func truncateFailedWrite(file *disk.File, end int64, err error) error {
	if !platform.DiskFull(err) {
		return err
	}
	if cut := file.Truncate(end); cut != nil {
		return errors.Join(err, cut)
	}
	if _, back := file.Seek(end, io.SeekStart); back != nil {
		return errors.Join(err, back)
	}
	return fmt.Errorf("%w: %w", store.ErrDiskFull, err)
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

// eachRecord calls each for every record of a log, in order; the records are parts of its content. It returns the size of
// the intact part: in the last log, the end may be incomplete. It is 0 if even the head is.
func eachRecord(path string, content []byte, last bool, each func(record []byte) error) (int64, error) {
	if last && headMissing(content) {
		return 0, nil
	}
	m, err := markOf(path, content)
	if err != nil {
		return 0, err
	}
	offset := logHead
	for offset < len(content) {
		payload, ok := frameAt(content, offset, m)
		if !ok {
			if !last || frameFollows(content, offset+1, m) {
				return 0, fmt.Errorf("log file %s is damaged at offset %d: %s", path, offset, afterLoss)
			}
			break
		}
		for in := (decoder{src: payload}); len(in.src) > 0; {
			record := in.bytes()
			if in.failed {
				return 0, fmt.Errorf("log file %s has an invalid frame at offset %d", path, offset)
			}
			if err := each(record); err != nil {
				return 0, fmt.Errorf("log file %s, frame at offset %d: %w", path, offset, err)
			}
		}
		offset += frameHeader + len(payload)
	}
	return int64(offset), nil
}

// afterLoss says what to do when acknowledged writes are lost.
const afterLoss = "restore a backup, or run almanac doctor --accept-loss to go on without what is lost"

// headMissing reports whether a crash came before the head of a log was on disk: the file is too short, or the file
// system gave it a length but no content. Nothing in it was acknowledged.
func headMissing(content []byte) bool {
	return len(content) < logHead || !bytes.ContainsFunc(content, func(r rune) bool { return r != 0 })
}

// markOf returns the mark of a log's frames.
func markOf(path string, content []byte) (mark, error) {
	if len(content) >= logHead {
		m := mark(content[len(logMagic) : len(logMagic)+len(mark{})])
		if string(content[:logHead]) == string(logHeadOf(m)) {
			return m, nil
		}
	}
	return mark{}, fmt.Errorf("log file %s has an invalid header: it is damaged, or from a newer version", path)
}

// truncateAndSync truncates the incomplete end of a log and syncs it. Another log will follow, so its end must not
// change any more, but the process that wrote it may have been killed before it was synced.
func truncateAndSync(d disk.Disk, path string, size int64) error {
	file, err := d.OpenFile(path, os.O_RDWR)
	if err != nil {
		return err
	}
	if size == 0 {
		_, err = file.Write(newLogHead())
		size = int64(logHead)
	}
	err = errors.Join(err, file.Truncate(size), file.Sync(disk.LogReplayed), file.Close())
	if err != nil {
		return fmt.Errorf("cannot truncate or sync log file %s: %w", path, err)
	}
	return nil
}
