package settings

import (
	"context"
	"errors"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/transfer/scheduled"
)

// blobStorageBody is an integration as clients see it, without its secret.
type blobStorageBody struct {
	ID                string        `json:"id"`
	ProjectID         string        `json:"projectId"`
	Type              string        `json:"type"`
	BucketName        string        `json:"bucketName"`
	Endpoint          *string       `json:"endpoint"`
	Region            string        `json:"region"`
	AccessKeyID       *string       `json:"accessKeyId"`
	Prefix            string        `json:"prefix"`
	ExportFrequency   string        `json:"exportFrequency"`
	Enabled           bool          `json:"enabled"`
	ForcePathStyle    bool          `json:"forcePathStyle"`
	FileType          string        `json:"fileType"`
	ExportMode        string        `json:"exportMode"`
	ExportStartDate   *respond.Time `json:"exportStartDate"`
	Compressed        bool          `json:"compressed"`
	ExportSource      string        `json:"exportSource"`
	ExportFieldGroups []string      `json:"exportFieldGroups"`
	NextSyncAt        *respond.Time `json:"nextSyncAt"`
	LastSyncAt        *respond.Time `json:"lastSyncAt"`
	LastError         *string       `json:"lastError"`
	LastErrorAt       *respond.Time `json:"lastErrorAt"`
	CreatedAt         respond.Time  `json:"createdAt"`
	UpdatedAt         respond.Time  `json:"updatedAt"`
}

func newBlobStorageBody(b domain.BlobStorageIntegration) blobStorageBody {
	return blobStorageBody{
		ID: b.ProjectID, ProjectID: b.ProjectID, Type: b.Type, BucketName: b.BucketName, Endpoint: b.Endpoint, Region: b.Region,
		AccessKeyID: b.AccessKeyID, Prefix: b.Prefix, ExportFrequency: b.ExportFrequency, Enabled: b.Enabled,
		ForcePathStyle: b.ForcePathStyle,
		FileType:       b.FileType, ExportMode: b.ExportMode, ExportStartDate: wire.OptionalTime(b.ExportStartDate),
		Compressed:   b.Compressed,
		ExportSource: b.ExportSource, ExportFieldGroups: b.FieldGroups, NextSyncAt: wire.OptionalTime(b.NextSyncAt),
		LastSyncAt: wire.OptionalTime(b.LastSyncAt), LastError: b.LastError, LastErrorAt: wire.OptionalTime(b.LastErrorAt),
		CreatedAt: respond.Time(b.CreatedAt), UpdatedAt: respond.Time(b.UpdatedAt),
	}
}

// blobStatusBody is the export status of an integration.
type blobStatusBody struct {
	ID          string        `json:"id"`
	ProjectID   string        `json:"projectId"`
	SyncStatus  string        `json:"syncStatus"`
	Enabled     bool          `json:"enabled"`
	LastSyncAt  *respond.Time `json:"lastSyncAt"`
	NextSyncAt  *respond.Time `json:"nextSyncAt"`
	LastError   *string       `json:"lastError"`
	LastErrorAt *respond.Time `json:"lastErrorAt"`
}

// ListBlobStorage serves GET /api/public/integrations/blob-storage.
func (h *Handlers) ListBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	found, err := h.Catalog.BlobStorageIntegrations(c.Context(), scope)
	return endpoint.ListAs("data", found, err, newBlobStorageBody)
}

// PutBlobStorage creates or replaces the integration of a project.
func (h *Handlers) PutBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	n, secret, err := readBlobStorage(c.Body(), time.Now())
	if err != nil {
		return nil, err
	}
	if project := c.Path("projectId"); project != "" && n.ProjectID != project {
		return nil, respond.InvalidRequest("The projectId of the body is not that of the address.")
	}
	if secret != nil {
		n.SealedSecret = new(h.Secrets.Seal(*secret, n.SecretPlace()))
	}
	stored, err := h.Catalog.PutBlobStorageIntegration(c.Context(), scope, n, func(b domain.BlobStorageIntegration) error {
		if b.AccessKeyID != nil && b.SealedSecret == nil {
			return &decode.Invalid{
				Issues: []decode.Issue{decode.Violation([]any{"secretAccessKey"}, "secretAccessKey is needed with a new accessKeyId")},
			}
		}
		return nil
	}, c.Actor())
	return endpoint.Show(stored, endpoint.ProjectError(err), newBlobStorageBody)
}

// blobProgressBody is the progress of a run.
type blobProgressBody struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
}

// shownBlobStorage is an integration as the web application shows it, with its export status.
type shownBlobStorage struct {
	blobStorageBody
	SyncStatus string            `json:"syncStatus"`
	Progress   *blobProgressBody `json:"progress"`
}

// GetBlobStorage returns the integration of the project named by the path.
func (h *Handlers) GetBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	b, err := h.Catalog.BlobStorageIntegration(c.Context(), scope, c.Path("projectId"))
	if err != nil {
		return nil, blobStorageError(err)
	}
	return h.shownBlobStorage(c, scope, b)
}

func (h *Handlers) shownBlobStorage(c *endpoint.Call, scope domain.OrganizationScope, b domain.BlobStorageIntegration) (any, error) {
	shown := shownBlobStorage{blobStorageBody: newBlobStorageBody(b), SyncStatus: b.SyncStatus(time.Now())}
	progress, err := h.Catalog.BlobProgress(c.Context(), scope, b.ProjectID)
	if err != nil {
		return nil, err
	}
	if progress != nil {
		shown.Progress = &blobProgressBody{progress.Rows, progress.Bytes}
	}
	return shown, nil
}

// SetBlobStorage is PutBlobStorage with the response for the web application.
func (h *Handlers) SetBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if _, err := h.PutBlobStorage(c, scope); err != nil {
		return nil, err
	}
	return h.GetBlobStorage(c, scope)
}

// RunBlobStorage is StartBlobStorage with the response for the web application.
func (h *Handlers) RunBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	b, err := h.runBlobStorage(c, scope)
	if err != nil {
		return nil, err
	}
	return h.shownBlobStorage(c, scope, b)
}

// StartBlobStorage serves POST /api/public/integrations/blob-storage/{projectId}/run. It makes an integration export
// now.
func (h *Handlers) StartBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	b, err := h.runBlobStorage(c, scope)
	return endpoint.Show(b, err, newBlobStatusBody)
}

func (h *Handlers) runBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (domain.BlobStorageIntegration, error) {
	b, err := h.Catalog.BlobRunNow(c.Context(), scope, c.Path("projectId"), c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return b, respond.Conflict("The export is not enabled. Enable it first.")
	}
	return b, blobStorageError(err)
}

// blobTestBody is the result of a test of the storage.
type blobTestBody struct {
	OK         bool   `json:"ok"`
	Message    string `json:"message"`
	DurationMs int64  `json:"durationMs"`
}

// TestBlobStorage serves POST /api/public/integrations/blob-storage/{projectId}/test. It writes a small object to the
// bucket and removes it.
func (h *Handlers) TestBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	return h.useBlobStorage(c, scope, h.Exports.Test, "The bucket accepts files.")
}

// TakeOverBlobStorage serves POST /api/public/integrations/blob-storage/{projectId}/take-over. It makes this
// installation the one that exports to the bucket.
func (h *Handlers) TakeOverBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	return h.useBlobStorage(c, scope, func(ctx context.Context, b *domain.BlobStorageIntegration) error {
		if err := h.Catalog.AuditBlobStorageTakeOver(ctx, scope, b.ProjectID, c.Actor()); err != nil {
			return err
		}
		return h.Exports.TakeOver(ctx, b)
	}, "This installation exports to the bucket from now on.")
}

func (h *Handlers) useBlobStorage(
	c *endpoint.Call, scope domain.OrganizationScope, use func(context.Context, *domain.BlobStorageIntegration) error, done string,
) (any, error) {
	b, err := h.Catalog.BlobStorageIntegration(c.Context(), scope, c.Path("projectId"))
	if err != nil {
		return nil, blobStorageError(err)
	}
	var took time.Duration
	if busy := c.CallOut(func() {
		began := time.Now()
		err = use(c.Context(), &b)
		took = time.Since(began)
	}); busy != nil {
		return nil, busy
	}
	answer := blobTestBody{OK: err == nil, Message: done, DurationMs: took.Milliseconds()}
	if failure, ok := errors.AsType[*scheduled.MessageError](err); ok {
		answer.Message, err = failure.Message, nil
	}
	return answer, err
}

// GetBlobStorageStatus serves GET /api/public/integrations/blob-storage/{projectId}.
func (h *Handlers) GetBlobStorageStatus(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	b, err := h.Catalog.BlobStorageIntegration(c.Context(), scope, c.Path("projectId"))
	return endpoint.Show(b, blobStorageError(err), newBlobStatusBody)
}

func newBlobStatusBody(b domain.BlobStorageIntegration) blobStatusBody {
	return blobStatusBody{
		ID: b.ProjectID, ProjectID: b.ProjectID, SyncStatus: b.SyncStatus(time.Now()), Enabled: b.Enabled,
		LastSyncAt: wire.OptionalTime(b.LastSyncAt), NextSyncAt: wire.OptionalTime(b.NextSyncAt),
		LastError: b.LastError, LastErrorAt: wire.OptionalTime(b.LastErrorAt),
	}
}

// DeleteBlobStorage serves DELETE /api/public/integrations/blob-storage/{projectId}.
func (h *Handlers) DeleteBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	err := h.Catalog.DeleteBlobStorageIntegration(c.Context(), scope, c.Path("projectId"), c.Actor())
	return endpoint.Confirm(blobStorageError(err), respond.Message{Message: blobStorageDeleted})
}

const blobStorageDeleted = "Blob storage integration successfully deleted"

// RemoveBlobStorage is DeleteBlobStorage with the response for the web application.
func (h *Handlers) RemoveBlobStorage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if _, err := h.DeleteBlobStorage(c, scope); err != nil {
		return nil, err
	}
	return struct {
		Success bool   `json:"success"`
		Message string `json:"message"`
	}{true, blobStorageDeleted}, nil
}

func blobStorageError(err error) error {
	return endpoint.NotFoundAs(err, "Blob storage integration not found")
}
