package disk

// Site is a place in the program that syncs. Each is here with what would be lost without it, and a test loses it: see
// powerloss.
type Site string

// The event store.
const (
	// LogCommit: writes that were acknowledged.
	LogCommit Site = "log-commit"
	// LogHead: a log whose first sector is lost and whose second is not looks damaged.
	LogHead Site = "log-head"
	// LogName: all that is acknowledged while the log is in use.
	LogName Site = "log-name"
	// LogUnwritten: what a write to a full disk left is cut off, and comes back with another log behind it.
	LogUnwritten Site = "log-unwritten"
	// LogTakenBack: a log that could not be begun comes back behind the one that is in use, whose end then looks damaged.
	LogTakenBack Site = "log-taken-back"
	// LogReplayed: what a killed process wrote and did not sync is read, and lost later; or an end that was cut off comes
	// back, with another log behind it.
	LogReplayed Site = "log-replayed"
	// ManifestEdit: logs are removed whose rows are in segments that no edit names.
	ManifestEdit Site = "manifest-edit"
	// ManifestAgain: a manifest that takes the place of another.
	ManifestAgain Site = "manifest-again"
	// ManifestName: edits of the manifest that took the place of another.
	ManifestName Site = "manifest-name"
	// ManifestRead: an edit that a killed process did not sync is acted upon, and lost later.
	ManifestRead Site = "manifest-read"
	// TableRead: a log is made beside a manifest whose name a killed process did not sync, and the name is lost.
	TableRead Site = "table-read"
	// TableName: the directory of a table.
	TableName Site = "table-name"
	// SegmentData: the rows of a segment.
	SegmentData Site = "segment-data"
	// MergedData: the rows of a segment that took the place of others.
	MergedData Site = "merged-data"
	// IndexData: the index of a segment.
	IndexData Site = "index-data"
	// SegmentNames: a segment and its index, which the manifest names.
	SegmentNames Site = "segment-names"
	// RebuiltIndex: an index that took the place of a bad one.
	RebuiltIndex Site = "rebuilt-index"
	// RebuiltName: a repair that was reported.
	RebuiltName Site = "rebuilt-name"
	// BackupName: the directory of the events in a backup, or in what is restored.
	BackupName Site = "backup-name"
	// BackupTables: the directories of the tables.
	BackupTables Site = "backup-tables"
	// BackupSegment: segments and indexes that were copied.
	BackupSegment Site = "backup-segment"
	// BackupLog: logs that were copied.
	BackupLog Site = "backup-log"
	// BackupNames: a copy that has a manifest and not what it names looks complete.
	BackupNames Site = "backup-names"
	// BackupManifest: the manifest of a copy.
	BackupManifest Site = "backup-manifest"
	// BackupManifestName: a copy that was reported.
	BackupManifestName Site = "backup-manifest-name"
)
