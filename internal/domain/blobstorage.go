package domain

import "time"

// BlobStorageIntegration configures scheduled exports of a project to blob storage. A project has at most one,
// identified by the id of the project.
type BlobStorageIntegration struct {
	ProjectID       string
	Type            string
	BucketName      string
	Endpoint        *string
	Region          string
	AccessKeyID     *string
	SealedSecret    *string // encrypted with a key that the catalog does not have; nil if the host's credentials are used
	Prefix          string
	ExportFrequency string
	Enabled         bool
	ForcePathStyle  bool
	FileType        string
	ExportMode      string
	ExportStartDate *time.Time
	Compressed      bool
	ExportSource    string
	FieldGroups     []string // nil means all

	// Progress of the exports.
	RunStartedAt *time.Time
	NextSyncAt   *time.Time
	LastSyncAt   *time.Time
	LastError    *string
	LastErrorAt  *time.Time

	CreatedAt time.Time
	UpdatedAt time.Time
}

// The types of blob storage.
const (
	BlobS3           = "S3"
	BlobS3Compatible = "S3_COMPATIBLE"
	BlobAzure        = "AZURE_BLOB_STORAGE"
)

// The export modes: the time from which on data is exported.
const (
	ExportFullHistory    = "FULL_HISTORY"
	ExportFromToday      = "FROM_TODAY"
	ExportFromCustomDate = "FROM_CUSTOM_DATE"
)

// ExportObservations is the export source of a server that stores observations but no separate traces.
const ExportObservations = "OBSERVATIONS_V2"

// SyncStatus summarizes the state of the exports of an integration in one word.
func (b *BlobStorageIntegration) SyncStatus(now time.Time) string {
	// A run that started longer ago was interrupted.
	const longestRun = 2 * time.Hour
	switch {
	case !b.Enabled:
		return "disabled"
	case b.LastError != nil:
		return "error"
	case b.RunStartedAt != nil && now.Sub(*b.RunStartedAt) < longestRun:
		return "running"
	case b.NextSyncAt != nil && !b.NextSyncAt.After(now):
		return "queued"
	case b.LastSyncAt == nil:
		return "idle"
	}
	return "up_to_date"
}

// Replaces completes a new version of an integration with what it keeps of the previous one, nil if there is none, and
// with the consequences of the change. A secret and an export source that are not set are kept.
func (b *BlobStorageIntegration) Replaces(before *BlobStorageIntegration, now time.Time) {
	sameMode := before != nil && before.ExportMode == b.ExportMode
	switch b.ExportMode {
	case ExportFullHistory:
		b.ExportStartDate = nil
	case ExportFromToday:
		b.ExportStartDate = &now
		if sameMode {
			b.ExportStartDate = before.ExportStartDate
		}
	}
	if b.ExportSource == "" {
		b.ExportSource = ExportObservations
		if before != nil {
			b.ExportSource, b.FieldGroups = before.ExportSource, before.FieldGroups
		}
	}
	if before == nil {
		return
	}
	switch {
	case b.AccessKeyID == nil:
		b.SealedSecret = nil // the host's credentials need none
	case b.SealedSecret == nil:
		b.SealedSecret = before.SealedSecret
	}
	b.RunStartedAt, b.NextSyncAt, b.LastSyncAt = before.RunStartedAt, before.NextSyncAt, before.LastSyncAt
	b.LastError, b.LastErrorAt = before.LastError, before.LastErrorAt
	if !sameMode {
		b.LastSyncAt, b.NextSyncAt = nil, nil // exports start over
	}
	if b.Enabled && b.LastError != nil {
		b.LastError, b.LastErrorAt, b.NextSyncAt = nil, nil, &now // the cause may have been fixed
	}
}

// BlobDestination is where an integration writes, and with which key.
type BlobDestination struct{ Type, Bucket, Endpoint, Region, Key, SealedSecret, Prefix string }

// Destination returns where the integration writes.
func (b *BlobStorageIntegration) Destination() BlobDestination {
	text := func(t *string) string {
		if t == nil {
			return ""
		}
		return *t
	}
	return BlobDestination{
		b.Type, b.BucketName, text(b.Endpoint), b.Region, text(b.AccessKeyID), text(b.SealedSecret), b.Prefix,
	}
}
