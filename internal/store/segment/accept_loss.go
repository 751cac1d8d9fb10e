package segment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"almanac/internal/disk"
)

// AcceptLoss makes a store usable whose logs are missing, cut or damaged: what can be read of them is kept, and the
// manifest records that the rest is lost. Damaged files stay beside it under another name. It returns descriptions of
// what is lost. No server may have the store open.
func AcceptLoss(d disk.Disk, directory string) (lost []string, err error) {
	for _, t := range tables() {
		found, err := t.acceptLoss(d, filepath.Join(directory, t.name))
		lost = append(lost, found...)
		if err != nil {
			return lost, fmt.Errorf("cannot continue without the lost writes of table %s: %w", t.name, err)
		}
	}
	return lost, nil
}

func acceptLoss[R any](d disk.Disk, s *schema[R], directory string) (lost []string, err error) {
	if never, err := neverWritten(directory); err != nil || never {
		return nil, err
	}
	moment, err := takeSnapshot(directory, func(string) {})
	if err != nil {
		return nil, err
	}
	c := &logCheck[R]{schema: s, state: moment.state, directory: directory, next: moment.state.horizon + 1}
	c.check(moment, newWalk(nil))
	moment.close()
	if len(c.lost)+len(c.missing)+len(c.damaged) == 0 {
		return nil, nil
	}
	dropped := c.missing
	for _, l := range c.damaged {
		if l.rest == nil {
			dropped = append(dropped, l.number)
		}
	}
	m, state, err := openManifest(directory, Options{disk: d}.withDefaults())
	if err != nil {
		return nil, err
	}
	if err = m.tidy(directory, state); err == nil {
		err = m.append(edit{Format: formatVersion, Lost: c.lost, Dropped: dropped})
	}
	// If this fails halfway, the logs are still damaged, and the command can be repeated.
	if err := errors.Join(err, m.close()); err != nil {
		return nil, err
	}
	for _, number := range c.missing {
		lost = append(lost, "log file "+filepath.Join(directory, logName(number)))
	}
	for _, l := range c.damaged {
		kept, err := replaceLog(d, directory, l)
		if err != nil {
			return lost, err
		}
		lost = append(lost, "unreadable parts of a log file; it is now named "+kept)
	}
	for _, l := range c.lost {
		lost = append(lost, fmt.Sprintf("the writes from %d to %d of table %s", l.From, l.To, s.table))
	}
	return lost, nil
}

// replaceLog replaces a damaged log file with what is left of it, and returns the new name of the damaged one.
func replaceLog(d disk.Disk, directory string, l damagedLog) (kept string, err error) {
	path := filepath.Join(directory, logName(l.number))
	kept = path + ".damaged"
	if l.rest == nil {
		err = d.Rename(path, kept)
	} else {
		err = replaceWith(d, path, kept, l.rest)
	}
	if err != nil {
		return "", err
	}
	return kept, d.SyncDirectory(disk.AcceptedName, directory)
}

// replaceWith gives a file new content, and keeps the old one under another name.
func replaceWith(d disk.Disk, path, kept string, content []byte) error {
	if err := d.WriteFile(disk.AcceptedLog, path+".new", os.O_TRUNC, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}); err != nil {
		return err
	}
	if err := d.Link(path, kept); err != nil && !errors.Is(err, fs.ErrExist) { // or the second attempt
		return err
	}
	return d.Rename(path+".new", path)
}
