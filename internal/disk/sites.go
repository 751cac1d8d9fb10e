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
	// BackupTables: the directories of the tables in a backup, or in what is restored.
	BackupTables Site = "backup-tables"
	// BackupSegment: segments and indexes that were copied.
	BackupSegment Site = "backup-segment"
	// BackupLog: logs that were copied.
	BackupLog Site = "backup-log"
	// BackupManifest: the manifest of a copy.
	BackupManifest Site = "backup-manifest"
	// BackupTable: all of these.
	BackupTable Site = "backup-table"
)

// Media, the data directory, the encryption key, certificates, backups.
const (
	// DataName: the data directory.
	DataName Site = "data-name"
	// EmptyName: the directory of a backup, or the one that it is restored to.
	EmptyName Site = "empty-name"
	// MediaName: the directory of media.
	MediaName Site = "media-name"
	// BlobData: what a file holds.
	BlobData Site = "blob-data"
	// BlobName: the file.
	BlobName Site = "blob-name"
	// BlobDirectory: the directories that it is in.
	BlobDirectory Site = "blob-directory"
	// MediaCopyName: the directory of media in what is restored, if it is not in the data directory.
	MediaCopyName Site = "media-copy-name"
	// BlobCopy: what a copy of a file holds.
	BlobCopy Site = "blob-copy"
	// BlobCopyNames: the copies.
	BlobCopyNames Site = "blob-copy-names"
	// KeyData: a key that secrets were encrypted with.
	KeyData Site = "key-data"
	// KeyName: the same.
	KeyName Site = "key-name"
	// KeyCopy: the key in a backup, or in what is restored.
	KeyCopy Site = "key-copy"
	// CertificateData: an account with an authority, whose key is taken from an empty file and refused from then on.
	CertificateData Site = "certificate-data"
	// CatalogCopy: the catalog in a backup.
	CatalogCopy Site = "catalog-copy"
	// BackupNames: a backup that has its note and not the rest looks complete.
	BackupNames Site = "backup-names"
	// NoteData: what a backup says about itself.
	NoteData Site = "note-data"
	// NoteName: a backup that was reported.
	NoteName Site = "note-name"
	// CatalogRestored: a catalog that was restored.
	CatalogRestored Site = "catalog-restored"
	// RestoringName: a server starts on half a backup.
	RestoringName Site = "restoring-name"
	// RestoredNames: a server starts on a backup that is not all there.
	RestoredNames Site = "restored-names"
	// RestoredName: no server starts on what was reported to be restored.
	RestoredName Site = "restored-name"
)
