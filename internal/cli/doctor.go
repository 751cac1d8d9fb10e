package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/platform"
)

type doctorCommand struct {
	config.Storage `embed:""`
	Repair         bool `help:"Rebuild missing or corrupt index files from the events, and apply deletes that they held up. The server must not be running."`
	AcceptLoss     bool `help:"Go on without acknowledged events whose log files are missing or corrupt, or with an event store that is not the one of the catalog. What can be read is kept. The server must not be running."`
}

// Help returns the text shown below the options of the command.
func (*doctorCommand) Help() string {
	return `Reads everything: the catalog, and every page of every event file. It takes about as long as copying the data directory would. A server can be running meanwhile.

Data written by an earlier version of Almanac is not a fault: the doctor reports what the server will upgrade on its first start. Data written by a newer version is a fault, and is never changed.`
}

// lowDisk is the free space, in bytes, below which the doctor warns.
const lowDisk = 1 << 30

// checkup prints one line per check and counts the faults.
type checkup struct {
	t      *terminal
	faults int
}

func (c *checkup) ok(format string, args ...any)   { c.line("ok", format, args...) }
func (c *checkup) info(format string, args ...any) { c.line("info", format, args...) }
func (c *checkup) warn(format string, args ...any) { c.line("warn", format, args...) }
func (c *checkup) fault(format string, args ...any) {
	c.faults++
	c.line("FAULT", format, args...)
}

func (c *checkup) line(mark, format string, args ...any) {
	c.t.printf("%-6s %s\n", mark, fmt.Sprintf(format, args...))
}

func (d *doctorCommand) Run(t *terminal) error {
	c := &checkup{t: t}
	if d.checkDirectory(c) {
		if err := refuseNewerEvents(d.Storage); err != nil {
			c.fault("events: %v", err)
		} else if d.checkCatalog(t, c) {
			if d.Repair || d.AcceptLoss {
				d.repairEvents(t, c)
			}
			d.checkEvents(t, c)
		}
	}
	if c.faults > 0 {
		return fmt.Errorf("%d faults found", c.faults)
	}
	t.printf("Everything is in order.\n")
	return nil
}

// checkDirectory reports whether it makes sense to check further.
func (d *doctorCommand) checkDirectory(c *checkup) bool {
	if d.Stateless() {
		c.ok("no data directory is needed: catalog, events and media are stored elsewhere")
		return true
	}
	info, err := os.Stat(d.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.fault("data directory %s does not exist: start the server once, or set the directory with --data", d.Data)
		return false
	case err != nil:
		c.fault("data directory: %v", err)
		return false
	case !info.IsDir():
		c.fault("data directory %s is not a directory", d.Data)
		return false
	}
	c.ok("data directory %s", d.Data)
	if mode := info.Mode().Perm(); platform.HasModes && mode&0o077 != 0 {
		c.warn("data directory is accessible to other users (mode %o): chmod 700 %s", mode, d.Data)
	}
	switch inUse, err := datadir.InUse(d.Data); {
	case datadir.IsBackup(d.Data):
		c.info("it is a backup, and stays as it is")
	case err != nil:
		c.fault("lock file: %v", err)
	case inUse:
		c.ok("a server is running on it")
	default:
		c.ok("no server is running on it")
	}
	switch free, err := platform.FreeBytes(d.Data); {
	case err != nil:
		c.fault("free space: %v", err)
	case free < lowDisk:
		c.warn("only %d MB of disk space are free", free>>20)
	default:
		c.ok("%.1f GB of disk space are free", float64(free)/(1<<30))
	}
	return true
}

// checkCatalog reports whether it makes sense to check further. It does not if a newer program has written the data.
func (d *doctorCommand) checkCatalog(t *terminal, c *checkup) bool {
	database, earlier, err := openCatalogAsIs(t.ctx, d.Storage)
	if err != nil {
		c.fault("catalog: %v", err)
		return !errors.Is(err, catalog.ErrNewer)
	}
	defer database.Close() //nolint:errcheck // only read
	faults, err := database.Verify(t.ctx)
	if err != nil {
		c.fault("catalog: %v", err)
		return true
	}
	for _, f := range faults {
		c.fault("catalog: %s", f)
	}
	if !earlier {
		d.checkContent(t, c, database, len(faults) == 0)
	} else if len(faults) == 0 {
		c.info("catalog is intact, written by an earlier version of Almanac: it is upgraded on the first start, and media can be checked " +
			"after that")
	}
	return true
}

// checkContent checks the content of the catalog and the media it refers to.
func (d *doctorCommand) checkContent(t *terminal, c *checkup, database *catalog.Catalog, whole bool) {
	organizations, projects, keys, err := countCatalog(t, database)
	if err != nil {
		c.fault("catalog: %v", err)
		return
	}
	if whole {
		c.ok("catalog is intact (organizations: %d, projects: %d, keys: %d)", organizations, projects, keys)
	}
	if keys == 0 {
		c.warn("there is no API key: create one with almanac keys create")
	}
	d.checkMedia(t, c, database)
}

func countCatalog(t *terminal, c *catalog.Catalog) (organizations, projects, keys int, err error) {
	all, err := c.Organizations(t.ctx)
	if err != nil {
		return 0, 0, 0, err
	}
	for _, o := range all {
		inIt, err := c.Projects(t.ctx, domain.OfOrganization(o.ID))
		if err != nil {
			return 0, 0, 0, err
		}
		ofIt, err := c.Keys(t.ctx, domain.OfOrganization(o.ID))
		if err != nil {
			return 0, 0, 0, err
		}
		projects, keys = projects+len(inIt), keys+len(ofIt)
	}
	return len(all), projects, keys, nil
}
