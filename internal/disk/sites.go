package disk

// Site is a place in the program that syncs. Each is documented with what would be lost, or go wrong, without it, and a
// test provokes exactly that: see powerloss.
type Site string

// The event store.
const (
	// LogCommit: acknowledged writes.
	LogCommit Site = "log-commit"
	// LogHead: a log that lost its first sector but not its second looks damaged.
	LogHead Site = "log-head"
	// LogName: everything acknowledged while the log is in use.
	LogName Site = "log-name"
	// LogUnwritten: the remains of a write to a full disk were cut off, and reappear with another log after them.
	LogUnwritten Site = "log-unwritten"
	// LogTakenBack: a log that could not be started reappears after the one in use, whose end then looks damaged.
	LogTakenBack Site = "log-taken-back"
	// LogReplayed: data that a killed process wrote but did not sync is read, and lost later; or an end that was cut off
	// reappears, with another log after it.
	LogReplayed Site = "log-replayed"
	// ManifestEdit: logs are removed although no edit names the segments with their rows.
	ManifestEdit Site = "manifest-edit"
	// ManifestAgain: a manifest that replaced another.
	ManifestAgain Site = "manifest-again"
	// ManifestName: edits of a manifest that replaced another.
	ManifestName Site = "manifest-name"
	// TableRead: a log is created beside a manifest whose name a killed process did not sync, and that name is lost.
	TableRead Site = "table-read"
	// TableName: the directory of a table.
	TableName Site = "table-name"
	// SegmentData: the rows of a segment.
	SegmentData Site = "segment-data"
	// MergedData: the rows of a segment that replaced others.
	MergedData Site = "merged-data"
	// IndexData: the index of a segment.
	IndexData Site = "index-data"
	// SegmentNames: a segment and its index, which the manifest refers to.
	SegmentNames Site = "segment-names"
	// RebuiltIndex: an index that replaced a bad one.
	RebuiltIndex Site = "rebuilt-index"
	// RebuiltName: a repair that was reported.
	RebuiltName Site = "rebuilt-name"
	// AcceptedLog: what could be read of a damaged log.
	AcceptedLog Site = "accepted-log"
	// AcceptedName: the same; the damaged log is back although its replacement was reported.
	AcceptedName Site = "accepted-name"
	// BackupTables: the directories of the tables in a backup or a restored copy.
	BackupTables Site = "backup-tables"
	// BackupSegment: copied segments and indexes.
	BackupSegment Site = "backup-segment"
	// BackupLog: copied logs.
	BackupLog Site = "backup-log"
	// BackupManifest: the manifest of a copy.
	BackupManifest Site = "backup-manifest"
	// BackupTable: the names of all these files.
	BackupTable Site = "backup-table"
)

// Media, the data directory, the encryption key, certificates, backups.
const (
	// DataName: the data directory.
	DataName Site = "data-name"
	// EmptyName: the directory of a backup, or that of a restored copy.
	EmptyName Site = "empty-name"
	// MediaName: the directory of media.
	MediaName Site = "media-name"
	// BlobData: the content of a file.
	BlobData Site = "blob-data"
	// BlobName: the name of a file.
	BlobName Site = "blob-name"
	// BlobDirectory: the directories of a file.
	BlobDirectory Site = "blob-directory"
	// MediaCopyName: the directory of restored media, if it is not in the data directory.
	MediaCopyName Site = "media-copy-name"
	// BlobCopy: the content of a copied file.
	BlobCopy Site = "blob-copy"
	// BlobCopyNames: the names of copied files.
	BlobCopyNames Site = "blob-copy-names"
	// KeyData: a key that secrets were encrypted with.
	KeyData Site = "key-data"
	// KeyName: the same.
	KeyName Site = "key-name"
	// KeyCopy: the key in a backup or a restored copy.
	KeyCopy Site = "key-copy"
	// CertificateData: an account with an authority; its key is read from an empty file and refused from then on.
	CertificateData Site = "certificate-data"
	// CatalogCopy: the catalog in a backup.
	CatalogCopy Site = "catalog-copy"
	// BackupNames: a backup that has its note but not the rest looks complete.
	BackupNames Site = "backup-names"
	// NoteData: the note in which a backup describes itself.
	NoteData Site = "note-data"
	// NoteName: a backup that was reported as complete.
	NoteName Site = "note-name"
	// CatalogRestored: a restored catalog.
	CatalogRestored Site = "catalog-restored"
	// RestoringName: a server starts with half a backup.
	RestoringName Site = "restoring-name"
	// RestoredNames: a server starts with an incomplete backup.
	RestoredNames Site = "restored-names"
	// RestoredName: no server starts with data that was reported as restored.
	RestoredName Site = "restored-name"
)
