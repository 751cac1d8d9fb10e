package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/store/eventdir"
	"almanac/internal/store/segment"
)

// hasEvents reports whether the data directory has an event store.
func hasEvents(data string) (bool, error) {
	_, err := os.Stat(datadir.EventsDir(data))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (d *doctorCommand) checkEvents(t *terminal, c *checkup) {
	if d.EventsInClickHouse() {
		c.warn("events are in ClickHouse, which this command does not check")
		return
	}
	if !d.checkStore(t, c) {
		return
	}
	switch found, err := hasEvents(d.Data); {
	case err != nil:
		c.fault("events: %v", err)
		return
	case !found:
		c.ok("no events yet")
		return
	}
	files := 0
	show := t.progress("checking events")
	found, err := segment.Verify(datadir.EventsDir(d.Data), func(done, total int, what string) {
		files = total
		show(done, total, what)
	})
	for _, f := range found.Faults {
		c.fault("events: %s", f)
	}
	if err != nil {
		c.fault("events: %v", err)
		return
	}
	if found.Earlier > 0 {
		c.info("events were written by an earlier version of Almanac, their index is rebuilt on the first start (index files: %d)",
			found.Earlier)
	}
	if len(found.Faults) == 0 {
		c.ok("events are intact (files: %d)", files)
	}
	if found.Indexes > 0 && !d.Repair {
		c.warn("index files can be rebuilt: stop the server and run almanac doctor --repair")
	}
	if found.Deferred > 0 && !d.Repair {
		c.warn("deletes and replacements can be applied once their segments can be read: stop the server and run almanac doctor --repair")
	}
	if found.Losses > 0 {
		c.warn("acknowledged events are missing from the log: restore a backup, or stop the server and run almanac doctor --accept-loss " +
			"to go on without them")
	}
	if len(found.Faults) > found.Indexes+found.Deferred+found.Losses {
		c.warn("segments and manifests contain the events themselves and cannot be repaired: restore a backup")
	}
}

// checkStore reports whether the events belong to the catalog, or whether that cannot be told because the catalog cannot
// be read, which checkCatalog reports.
func (d *doctorCommand) checkStore(t *terminal, c *checkup) bool {
	database, earlier, err := openCatalogAsIs(t.ctx, d.Storage)
	if err != nil {
		return true
	}
	defer database.Close() //nolint:errcheck // only read
	if earlier {
		return true
	}
	err = eventdir.Check(t.ctx, database, d.Storage)
	if errors.Is(err, eventdir.ErrOther) {
		c.fault("%v", err)
		return false
	}
	return true // segment.Verify reports what cannot be read
}

// acceptStore makes the events that are there those of the catalog, if they are not.
func (d *doctorCommand) acceptStore(t *terminal, c *checkup) {
	database, err := openCatalog(t.ctx, d.Storage)
	if err != nil {
		return // checkCatalog reports it; a catalog of an earlier version knows no store
	}
	defer database.Close() //nolint:errcheck // a write is durable when its method returns
	other := eventdir.Check(t.ctx, database, d.Storage)
	if !errors.Is(other, eventdir.ErrOther) {
		return
	}
	if err := eventdir.Adopt(t.ctx, t.disk, database, d.Storage); err != nil {
		c.fault("%v", err)
		return
	}
	c.warn("accepted: %v", other)
}

// refuseNewerEvents returns an error if the events in the data directory were written by a newer program.
func refuseNewerEvents(s config.Storage) error {
	if s.EventsInClickHouse() {
		return nil
	}
	return segment.RefuseNewer(datadir.EventsDir(s.Data))
}

// repairEvents rebuilds index files and accepts losses, as asked. It holds the lock of the data directory so that no
// server can start meanwhile.
func (d *doctorCommand) repairEvents(t *terminal, c *checkup) {
	if d.EventsInClickHouse() {
		c.fault("cannot repair: events are in ClickHouse, and --repair and --accept-loss work only on the data directory")
		return
	}
	directory, err := datadir.Open(d.Data)
	if err != nil {
		c.fault("cannot repair: %v", err)
		return
	}
	defer directory.Close() //nolint:errcheck // it gives up a lock
	if d.AcceptLoss {
		d.acceptStore(t, c)
	}
	if found, err := hasEvents(d.Data); err != nil || !found { // checkEvents reports it
		return
	}
	if d.AcceptLoss {
		lost, err := segment.AcceptLoss(t.disk, datadir.EventsDir(d.Data))
		for _, what := range lost {
			c.warn("accepted as lost: %s", what)
		}
		if err != nil {
			c.fault("%v", err)
			return
		}
	}
	if !d.Repair {
		return
	}
	made, err := segment.Repair(t.disk, datadir.EventsDir(d.Data), t.progress("repairing events"))
	for _, file := range made {
		if filepath.Ext(file) == ".idx" {
			c.ok("rebuilt %s", file)
		} else {
			c.ok("applied deletes and replacements to %s", file)
		}
	}
	if err != nil {
		c.fault("cannot repair: %v", err)
	}
}
