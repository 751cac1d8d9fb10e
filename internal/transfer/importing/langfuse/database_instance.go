package langfuse

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog/people"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/jsontext"
	"almanac/internal/transfer/importing"
)

// Instance tables: organizations, projects, users, keys, buckets and the audit log.

type organizationRow struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Metadata  json.RawMessage `json:"metadata"`
	CreatedAt Timestamp       `json:"createdAt"`
	UpdatedAt Timestamp       `json:"updatedAt"`
}

var organizationRows = relation[organizationRow]{
	table: "organizations", columns: "id name metadata created_at updated_at", keys: []string{"id text"}, own: true,
	add: func(_ *Database, page *importing.Page, o *organizationRow) {
		page.Records = append(page.Records, domain.Organization{
			ID: o.ID, Name: o.Name, Metadata: objectOr(o.Metadata), CreatedAt: o.CreatedAt.Time(), UpdatedAt: o.UpdatedAt.Time(),
		})
	},
}

// objectOr returns an object, or an empty one for anything else.
func objectOr(raw json.RawMessage) json.RawMessage {
	if raw = wire.OptionalRaw(raw); raw == nil || raw[0] != '{' {
		return json.RawMessage("{}")
	}
	return raw
}

type projectRow struct {
	organizationRow
	OrgID         string    `json:"orgId"`
	RetentionDays *int      `json:"retentionDays"`
	DeletedAt     Timestamp `json:"deletedAt"`
}

var projectRows = relation[projectRow]{
	table: "projects", columns: "id org_id name metadata retention_days deleted_at created_at updated_at",
	keys: []string{"id text"}, own: true,
	add: func(_ *Database, page *importing.Page, p *projectRow) {
		if p.DeletedAt != 0 {
			skip(page, "it was deleted", p.ID)
			return
		}
		project := domain.Project{
			ID: p.ID, Name: p.Name, OrganizationID: p.OrgID, Metadata: objectOr(p.Metadata), CreatedAt: p.CreatedAt.Time(),
			UpdatedAt: p.UpdatedAt.Time(),
		}
		if p.RetentionDays != nil && *p.RetentionDays > 0 {
			project.RetentionDays = max(*p.RetentionDays, domain.MinRetentionDays)
		}
		page.Records = append(page.Records, project)
	},
}

type userRow struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Email         string    `json:"email"`
	EmailVerified Timestamp `json:"emailVerified"`
	CreatedAt     Timestamp `json:"createdAt"`
	UpdatedAt     Timestamp `json:"updatedAt"`
}

var userRows = relation[userRow]{
	table: "users", columns: "id name email email_verified created_at updated_at", keys: []string{"id text"}, own: true,
	add: func(_ *Database, page *importing.Page, u *userRow) {
		if strings.TrimSpace(u.Email) == "" {
			skip(page, "it has no email address", u.ID)
			return
		}
		page.Records = append(page.Records, domain.Account{
			User: domain.User{
				ID: u.ID, Email: u.Email, Name: u.Name, CreatedAt: u.CreatedAt.Time(), UpdatedAt: u.UpdatedAt.Time(),
			},
			EmailVerified: u.EmailVerified != 0,
		})
	},
}

type memberRow struct {
	OrgID     string    `json:"orgId"`
	ProjectID string    `json:"projectId"`
	UserID    string    `json:"userId"`
	Email     string    `json:"memberEmail"`
	Role      string    `json:"role"`
	CreatedAt Timestamp `json:"createdAt"`
	UpdatedAt Timestamp `json:"updatedAt"`
}

var memberRows = relation[memberRow]{
	table: "organization_memberships", columns: "org_id user_id role created_at updated_at", keys: []string{"org_id text", "user_id text"},
	own:   true,
	query: fixed("SELECT m.*, u.email AS member_email FROM organization_memberships m JOIN users u ON u.id = m.user_id"), add: addMember,
}

var projectMemberRows = relation[memberRow]{
	table: "project_memberships", columns: "project_id user_id role created_at updated_at",
	keys: []string{"project_id text", "user_id text"}, own: true,
	query: fixed(`SELECT m.*, p.org_id, u.email AS member_email FROM project_memberships m JOIN users u ON u.id = m.user_id
		JOIN projects p ON p.id = m.project_id`), add: addMember,
}

func addMember(_ *Database, page *importing.Page, m *memberRow) {
	if !slices.Contains(domain.AllRoleNames(), m.Role) {
		skip(page, "the role "+m.Role+" is unknown", m.UserID)
		return
	}
	page.Records = append(page.Records, people.ImportedMember{
		OrganizationID: m.OrgID, ProjectID: m.ProjectID, Email: m.Email, Role: domain.Role(m.Role), CreatedAt: m.CreatedAt.Time(),
		UpdatedAt: m.UpdatedAt.Time(),
	})
}

type keyRow struct {
	ID             string    `json:"id"`
	ProjectID      string    `json:"projectId"`
	OrganizationID string    `json:"organizationId"`
	ProjectOrg     string    `json:"projectOrg"`
	PublicKey      string    `json:"publicKey"`
	Note           *string   `json:"note"`
	Bcrypt         string    `json:"hashedSecretKey"`
	Fast           string    `json:"fastHashedSecretKey"`
	Shown          string    `json:"displaySecretKey"`
	CreatedAt      Timestamp `json:"createdAt"`
	ExpiresAt      Timestamp `json:"expiresAt"`
	LastUsedAt     Timestamp `json:"lastUsedAt"`
}

var keyRows = relation[keyRow]{
	table: "api_keys",
	columns: "id project_id organization_id public_key note hashed_secret_key fast_hashed_secret_key display_secret_key created_at " +
		"expires_at last_used_at",
	keys: []string{"id text"}, own: true,
	query: fixed("SELECT k.*, p.org_id AS project_org FROM api_keys k LEFT JOIN projects p ON p.id = k.project_id"),
	add: func(d *Database, page *importing.Page, k *keyRow) {
		hash := auth.ImportedHash{Fast: k.Fast, Bcrypt: k.Bcrypt, Shown: k.Shown}
		stored, err := hash.Stored(k.PublicKey, d.options.Salt, d.options.Secrets.Seal)
		switch {
		case errors.Is(err, auth.ErrNoSalt):
			skip(page, "it can only be checked with the SALT of the source (--salt)", k.PublicKey)
			return
		case err != nil:
			skip(page, err.Error(), k.PublicKey)
			return
		}
		key := domain.StoredKey{SecretHash: stored, APIKey: domain.APIKey{
			ID: k.ID, OrganizationID: k.OrganizationID, ProjectID: k.ProjectID, PublicKey: k.PublicKey, DisplaySecret: k.Shown,
			Note:        k.Note,
			Permissions: domain.AllPermissions(), CreatedAt: k.CreatedAt.Time(), ExpiresAt: k.ExpiresAt.optional(),
			LastUsedAt: k.LastUsedAt.optional(),
		}}
		if key.ProjectID != "" {
			key.OrganizationID = k.ProjectOrg
		}
		page.Records = append(page.Records, key)
	},
}

// optional returns the time, or nil if it is unset.
func (m Timestamp) optional() *time.Time {
	if m == 0 {
		return nil
	}
	return new(m.Time())
}

type bucketRow struct {
	ProjectID       string    `json:"projectId"`
	Type            string    `json:"type"`
	BucketName      string    `json:"bucketName"`
	Prefix          string    `json:"prefix"`
	AccessKeyID     *string   `json:"accessKeyId"`
	Secret          string    `json:"secretAccessKey"`
	Region          string    `json:"region"`
	Endpoint        *string   `json:"endpoint"`
	ForcePathStyle  bool      `json:"forcePathStyle"`
	ExportFrequency string    `json:"exportFrequency"`
	FileType        string    `json:"fileType"`
	ExportMode      string    `json:"exportMode"`
	ExportStartDate Timestamp `json:"exportStartDate"`
	Compressed      *bool     `json:"compressed"`
	FieldGroups     []string  `json:"exportFieldGroups"`
	CreatedAt       Timestamp `json:"createdAt"`
	UpdatedAt       Timestamp `json:"updatedAt"`
}

var bucketRows = relation[bucketRow]{
	table: "blob_storage_integrations",
	columns: "project_id type bucket_name prefix access_key_id secret_access_key region endpoint force_path_style export_frequency " +
		"file_type " +
		"export_mode export_start_date created_at updated_at",
	keys: []string{"project_id text"}, own: true,
	add: func(d *Database, page *importing.Page, b *bucketRow) {
		page.Note = "imported integrations are disabled, so that two servers do not write to the same bucket: enable them once the old " +
			"server is stopped"
		n := domain.BlobStorageIntegration{
			ProjectID: b.ProjectID, Type: b.Type, BucketName: b.BucketName, Prefix: b.Prefix, Region: b.Region, Endpoint: b.Endpoint,
			ForcePathStyle: b.ForcePathStyle, ExportFrequency: b.ExportFrequency, FileType: b.FileType, ExportMode: b.ExportMode,
			ExportStartDate: b.ExportStartDate.optional(), Compressed: b.Compressed == nil || *b.Compressed,
			ExportSource: domain.ExportObservations,
			FieldGroups:  b.FieldGroups, CreatedAt: b.CreatedAt.Time(), UpdatedAt: b.UpdatedAt.Time(),
		}
		if b.Secret != "" && b.AccessKeyID != nil {
			secret, err := d.secrets.open(b.Secret)
			if err != nil {
				skip(page, err.Error(), b.ProjectID)
				return
			}
			n.AccessKeyID, n.SealedSecret = b.AccessKeyID, new(d.options.Secrets.Seal(secret, n.SecretPlace()))
		}
		page.Records = append(page.Records, n)
	},
}

type auditRow struct {
	ID           string    `json:"id"`
	CreatedAt    Timestamp `json:"createdAt"`
	APIKeyID     string    `json:"apiKeyId"`
	UserID       string    `json:"userId"`
	OrgID        string    `json:"orgId"`
	ProjectID    string    `json:"projectId"`
	ResourceType string    `json:"resourceType"`
	ResourceID   string    `json:"resourceId"`
	Action       string    `json:"action"`
	Before       string    `json:"before"`
	After        string    `json:"after"`
}

var auditRows = relation[auditRow]{
	table: "audit_logs", columns: "id created_at api_key_id user_id org_id project_id resource_type resource_id action before after",
	keys: []string{"id text"}, own: true,
	add: func(_ *Database, page *importing.Page, a *auditRow) {
		entry := domain.AuditEntry{
			ID: a.ID, At: a.CreatedAt.Time(), OrganizationID: a.OrgID, ProjectID: a.ProjectID, Action: a.Action,
			ResourceKind: a.ResourceType,
			ResourceID:   a.ResourceID, Before: withoutSecrets(a.Before), After: withoutSecrets(a.After),
			Origin: domain.Origin{Client: "langfuse"},
		}
		switch {
		case a.UserID != "":
			entry.Actor = domain.Actor{Kind: "user", ID: a.UserID}
		case a.APIKeyID != "":
			entry.Actor = domain.Actor{Kind: "api-key", ID: a.APIKeyID}
		default:
			entry.Actor = domain.Actor{Kind: "anonymous"}
		}
		page.Records = append(page.Records, entry)
	},
}

// secretMembers matches members that hold secrets, since the source writes whole rows to its audit log.
var secretMembers = regexp.MustCompile(`(?i)secret|hash|password|token|extraHeaders$|credential`)

// withoutSecrets returns the state of a record in the audit log without its secrets, or nil if it is not an object.
func withoutSecrets(text string) json.RawMessage {
	m := jsontext.CheckedMembersOf(text)
	kept := []byte{'{'}
	for m.Next() {
		if secretMembers.MatchString(m.Name) {
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(append(append(append(kept, '"'), m.Name...), `":`...), m.Value...)
	}
	if !m.Whole {
		return nil
	}
	return append(kept, '}')
}
