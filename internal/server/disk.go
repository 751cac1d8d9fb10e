package server

import (
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/datadir"
	"almanac/internal/platform"
)

// others are the permissions that everybody on the machine has.
const others fs.FileMode = 0o007

// warnIfExposed tells the operator of a data directory that others on the machine can look into. New ones are made with mode
// 0700; one that was there before keeps the mode that somebody gave it, perhaps on purpose.
func warnIfExposed(data string, log *slog.Logger) {
	info, err := os.Stat(data)
	if err != nil || !platform.HasModes || info.Mode().Perm()&others == 0 {
		return
	}
	log.Warn("other users on this machine can access the data directory: restrict it with chmod 0700", "data", data, "mode", info.Mode().Perm().String())
}

// fullDisk is how little room there is where nothing can be started.
const fullDisk = 4 << 20

// explainFullDisk names the place and the way out if the disk is full: what fails then is a database or a file deep inside, and says neither.
func explainFullDisk(err error, data string) error {
	if err == nil {
		return nil
	}
	free, statErr := platform.FreeBytes(data)
	if statErr != nil { // there was not even room for the directory
		free, statErr = platform.FreeBytes(filepath.Dir(data))
	}
	if !platform.DiskFull(err) && (statErr != nil || free >= fullDisk) {
		return err
	}
	return fmt.Errorf("the disk of the data directory %s is full (%d KB are free): make room there, or move the data and name the new place with --data: %w",
		data, free>>10, err)
}

// measureDisk makes the room that is left for data known: writes are refused when it runs out.
func measureDisk(registry prometheus.Registerer, data string) {
	promauto.With(registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_data_free_bytes", Help: "Room left on the file system of the data directory.",
	}, func() float64 {
		free, err := platform.FreeBytes(data)
		if err != nil {
			return math.NaN()
		}
		return float64(free)
	})
}

// backupCollector makes known when the newest backup of the data directory was finished, if there is one.
type backupCollector struct {
	data string
	desc *prometheus.Desc
}

func newBackupCollector(data string) backupCollector {
	return backupCollector{data, prometheus.NewDesc("almanac_backup_timestamp_seconds", "When the newest backup was finished, in seconds since 1970.", nil, nil)}
}

// Describe sends what is collected.
func (c backupCollector) Describe(descs chan<- *prometheus.Desc) { descs <- c.desc }

// Collect looks for the newest backup.
func (c backupCollector) Collect(metrics chan<- prometheus.Metric) {
	if at, ok := datadir.LastBackup(c.data); ok {
		metrics <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, float64(at.Unix()))
	}
}
