// Package config defines every option of the program. Each field of its structs is an option with a flag, an
// environment variable and an entry in the configuration file, all of the same name: --max-connections,
// ALMANAC_MAX_CONNECTIONS and max-connections. Flags take precedence over the environment, the environment over the
// file, and the file over the default. docs/configuration.md is generated from this package.
package config

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"almanac/internal/access/clientaddr"
	"almanac/internal/domain"
)

// Storage holds the options for where data is kept. Every command that touches data embeds it.
type Storage struct {
	Data             string `help:"Data directory. It is created if it does not exist. Not used if catalog, events and media are all stored elsewhere." default:"./almanac-data" placeholder:"DIR" group:"Storage"`
	Blob             string `help:"Where media (files attached to traces and datasets) are stored: a directory, or s3://BUCKET/PREFIX?region=REGION&endpoint=URL for S3 and compatible services. If not set, a subdirectory of the data directory." placeholder:"WHERE" group:"Storage"`
	BlobAccessKey    string `help:"Access key of the bucket. If not set, the usual AWS credential sources are used: the shared credentials file, a web identity, or the role of a container or machine." placeholder:"KEY" also:"AWS_ACCESS_KEY_ID" group:"Storage"`
	BlobSecretKey    Secret `help:"Secret key of the bucket." placeholder:"KEY" also:"AWS_SECRET_ACCESS_KEY" group:"Storage"`
	BlobSessionToken Secret `help:"Session token of the bucket, for temporary credentials." placeholder:"TOKEN" also:"AWS_SESSION_TOKEN" group:"Storage"`
	Catalog          Secret `help:"PostgreSQL URL of the catalog (organizations, projects, keys, users). If not set, the catalog is an SQLite file in the data directory." placeholder:"URL" group:"Storage"`
	// Secret because it contains a password.
	Store Secret `help:"Where events (observations and scores) are stored: clickhouse://USER:PASSWORD@HOST:8123/DATABASE?cluster=NAME for ClickHouse over its HTTP port, clickhouses:// with TLS. If not set, the data directory." placeholder:"URL" group:"Storage"`
}

// Serve holds the options of the server.
type Serve struct {
	Config string `help:"File with options, one \"name = value\" per line; # starts a comment." placeholder:"FILE" group:"Server"`
	Listen string `help:"Address to listen on. Use 0.0.0.0:3000 to be reachable from other machines." default:"127.0.0.1:3000" placeholder:"ADDRESS" group:"Server"`
	// "auto" rather than the address: a port in use is an error only if the operator chose it.
	OTLPGRPCListen string `name:"otlp-grpc-listen" help:"Address to receive OTLP over gRPC on; \"off\" disables it. \"auto\" is 127.0.0.1:4317 if that is free." default:"auto" placeholder:"ADDRESS" group:"Server"`

	Open bool `help:"Open the web application in a browser when the server is ready." group:"Server"`

	// The public URL is used to make links: to media, and in the output of the first start.
	PublicURL string `name:"public-url" help:"URL at which clients reach the server, if it differs from the listen address (behind a proxy)." placeholder:"URL" also:"NEXTAUTH_URL" group:"Server"`

	BasePath string `help:"Path prefix under which everything is served, such as /almanac. If not set, the path of --public-url. Use / to serve at the root regardless of --public-url, for a proxy that strips the prefix." placeholder:"PATH" also:"NEXT_PUBLIC_BASE_PATH" group:"Server"`

	CORSOrigins string `name:"cors-origins" help:"Origins allowed to call the API from browsers, such as https://app.example.org, separated by commas; * allows all, none allows none. Organization and administration routes and the metrics are never open to browsers." default:"*" placeholder:"ORIGINS" group:"Server"`

	MCPAllowedHosts string `name:"mcp-allowed-hosts" help:"Host names accepted from MCP clients in addition to that of --public-url, separated by commas; * allows all. Without --public-url, localhost and IP addresses are allowed." placeholder:"HOSTS" also:"LANGFUSE_MCP_ALLOWED_HOSTS" group:"Server"`

	// Secret because webhook URLs often contain a token.
	FeedbackURL Secret `name:"feedback-url" help:"URL to forward feedback from POST /api/public/feedback to, as a JSON POST. If not set, feedback is rejected with 409." placeholder:"URL" group:"Server"`

	Storage `embed:""`

	// Off by default because clients expect to read what they sent. SDKs extract files themselves.
	ExtractMedia bool `help:"Extract base64-encoded files from span inputs, outputs and metadata and store them as media, leaving a reference in their place. SDKs do this themselves; this is for other exporters." group:"Server"`

	TLS `embed:""`

	SSO `embed:""`

	Mail `embed:""`

	AdminAPIKey    Secret `name:"admin-api-key" help:"Key of the instance administrator, for the routes under /api/admin, which manage organizations and their keys. At least 16 characters. If not set, instance administration is disabled." placeholder:"KEY" also:"ADMIN_API_KEY" group:"Security"`
	TrustedProxies string `help:"Addresses and networks of trusted proxies, separated by commas, such as 10.0.0.0/8. The client address is taken from their X-Forwarded-For header. If not set, it is the remote address of the connection." placeholder:"NETWORKS" group:"Security"`
	MaskingRules   string `help:"JSON file with rules that replace parts of input, output and metadata before anything is stored: a list of {\"projectId\": ID or \"*\", \"fields\": [\"input\", \"output\", \"metadata\"], \"pattern\": REGULAR EXPRESSION, \"replacement\": TEXT}." placeholder:"FILE" group:"Security"`
	// These two concern the secrets that projects entrust to the server.
	EncryptionKey           Secret `help:"Key used to encrypt the secrets of LLM connections and exports in the catalog: 64 hexadecimal digits, as printed by openssl rand -hex 32. If not set, a random one is generated and stored in the data directory. Servers that share a catalog need the same key." placeholder:"KEY" also:"ENCRYPTION_KEY" group:"Security"`
	AllowPrivateConnections bool   `help:"Allow LLM connections and scheduled exports to this machine and its private network. Anyone who manages a project can then make this server send requests there." group:"Security"`
	ProxyFromEnvironment    bool   `help:"Send LLM connections and scheduled exports through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. The proxy resolves names, so it has to decide which addresses they can reach." group:"Security"`

	ExportWithServerCredentials bool `help:"Let scheduled exports to Amazon S3 that have no access key use the credentials of this machine. Anyone who manages a project can then write to every bucket that this machine can write to." group:"Security"`

	InsecureHTTP         bool   `name:"insecure-http" help:"Allow people to sign in over plain HTTP from other machines. Their passwords can be read in transit: prefer TLS, or a proxy that terminates it." group:"Security"`
	OrganizationCreators string `help:"Who may create organizations in the web application: ${enum}. \"owners\" allows owners of any organization." enum:"owners,everyone" default:"owners" placeholder:"WHO" group:"Security"`

	AuditViews bool `help:"Record in the audit log which traces, observations and sessions people open in the web application, at most once an hour per person and item." group:"Security"`

	KeyOutageGrace time.Duration `help:"How long API keys that were used before keep working while PostgreSQL, which holds the catalog, cannot be reached. Revocations that the server has heard of are respected. 0 rejects all requests during an outage." default:"10m" group:"Security"`
	KeyCacheLife   time.Duration `help:"How long API keys, sessions and roles are cached. Revocations by another process take effect within this time, or immediately if the catalog is in PostgreSQL." default:"5s" group:"Security"`

	LegacyIngestion string `help:"What to do with trace and observation events that older clients send to POST /api/public/ingestion: ${enum}. Scores are always accepted there." enum:"refuse,accept" default:"refuse" placeholder:"WHAT" group:"Compatibility"`

	MetricsListen   string `help:"Where to serve GET /metrics: \"same\" for the API address, \"off\", or a separate address. \"auto\" is the API address if only this machine can reach it, and otherwise 127.0.0.1:9464 if that is free." default:"auto" placeholder:"WHERE" group:"Monitoring"`
	MetricsProjects bool   `help:"Count spans by project in the metrics. This exposes project ids to anyone who can read them." group:"Monitoring"`
	MetricsToken    Secret `help:"Token required by GET /metrics, as \"Authorization: Bearer TOKEN\". If not set, anyone may read the metrics." placeholder:"TOKEN" group:"Monitoring"`
	PprofListen     string `help:"Address of the Go profiler at /debug/pprof. If not set, it is off. Anyone who can reach it can read the program's memory." placeholder:"ADDRESS" group:"Monitoring"`
	LogLevel        string `help:"Log level: ${enum}. At debug every request is logged." enum:"debug,info,warn,error" default:"info" placeholder:"LEVEL" group:"Monitoring"`
	LogFormat       string `help:"Log format: ${enum}." enum:"text,json" default:"text" placeholder:"FORM" group:"Monitoring"`

	MaxConnections        int           `help:"Maximum number of open connections. For a further one, the connection that has been idle longest is closed; if none is idle, it waits." default:"8192" placeholder:"N" group:"Limits"`
	MaxConcurrentRequests int           `help:"Maximum number of requests handled concurrently, at most three quarters of them for one project. Further requests wait; waiting projects are served round-robin." default:"128" placeholder:"N" group:"Limits"`
	MaxConcurrentReads    int           `help:"Maximum number of requests that read events concurrently; further ones wait. If 0, twice the number of CPUs but at least 4, or eight times but at least 16 if events are in ClickHouse." default:"0" placeholder:"N" group:"Limits"`
	RequestQueueTimeout   time.Duration `help:"How long a request may be queued before it is rejected with 503 and Retry-After." default:"5s" group:"Limits"`
	Memory                Bytes         `help:"Memory limit of the server. If not set, the limit of its container; without one, unlimited." default:"0" placeholder:"SIZE" group:"Limits"`
	RequestMemory         Bytes         `help:"Memory that all requests together may hold: bodies, data read for responses, and unsent responses; at most a quarter of --memory. Requests over the limit wait, then are rejected with 503 and Retry-After." default:"256MB" placeholder:"SIZE" group:"Limits"`
	MaxExport             Bytes         `help:"Maximum size of a span export, compressed or not." default:"32MB" placeholder:"SIZE" group:"Limits"`
	IngestMemory          Bytes         `help:"Memory that all span exports together may hold while they are received and processed; at most a quarter of --memory. Exports over the limit wait." default:"256MB" placeholder:"SIZE" group:"Limits"`
	MaxEventAge           int           `help:"How many days before now spans may start and other events may have happened; earlier ones are rejected. 0 for any number. Imports with almanac import are not limited." default:"7300" placeholder:"DAYS" group:"Limits"`
	MaxEventFuture        int           `help:"How many days after now spans may start and other events may happen; later ones are rejected. 0 for any number." default:"30" placeholder:"DAYS" group:"Limits"`
	IngestQueueTimeout    time.Duration `help:"How long an export may wait for memory before it is rejected with 503 and Retry-After." default:"2s" group:"Limits"`
	LimitKey              domain.Limits `help:"Limits per key, unless the key has its own: requests, spans or bytes per minute (m) or day (d), such as requests=1000/m,spans=5000000/d. Requests over the limit are rejected with 429 and Retry-After. If not set, unlimited." placeholder:"LIMITS" group:"Limits"`
	LimitProject          domain.Limits `help:"Limits per project, in the same format." placeholder:"LIMITS" group:"Limits"`
	LimitOrganization     domain.Limits `help:"Limits per organization, in the same format." placeholder:"LIMITS" group:"Limits"`
	MaxData               Bytes         `help:"Maximum total size of the observations and scores of all projects, such as 200GB. Above it, the oldest days are deleted; their daily sums are kept. 0 means no limit. Projects can have their own limits." default:"0" placeholder:"SIZE" group:"Limits"`
	MaxMedia              Bytes         `help:"Maximum size of a media file." default:"1000000000" placeholder:"SIZE" group:"Limits"`
	RequestTimeout        time.Duration `help:"Maximum time to handle a request." default:"60s" group:"Limits"`
	HeaderTimeout         time.Duration `help:"Maximum time to receive the request headers." default:"10s" group:"Limits"`
	ReadTimeout           time.Duration `help:"Maximum time to receive an entire request." default:"60s" group:"Limits"`
	WriteTimeout          time.Duration `help:"Maximum time from the end of the request headers until the response is sent." default:"180s" group:"Limits"`
	IdleTimeout           time.Duration `help:"How long an idle connection is kept open." default:"120s" group:"Limits"`
	MaxHeader             Bytes         `help:"Maximum size of the request headers." default:"64KB" placeholder:"SIZE" group:"Limits"`
	ShutdownDelay         time.Duration `help:"How long to keep accepting requests after a stop signal, while the readiness check already fails." default:"0s" group:"Limits"`
	ShutdownTimeout       time.Duration `help:"How long to wait for requests in flight on shutdown." default:"20s" group:"Limits"`

	Init `embed:"" prefix:"init-"`
}

// Init describes what must exist once the server has started. It is applied at every start: missing objects are
// created, existing ones are left alone.
type Init struct {
	OrgID            string `name:"org-id" help:"Id of an organization to create. Without it the other init options are ignored." placeholder:"ID" also:"LANGFUSE_INIT_ORG_ID" group:"Headless start"`
	OrgName          string `help:"Name of the organization." default:"Provisioned Org" placeholder:"NAME" also:"LANGFUSE_INIT_ORG_NAME" group:"Headless start"`
	ProjectID        string `name:"project-id" help:"Id of a project to create in that organization." placeholder:"ID" also:"LANGFUSE_INIT_PROJECT_ID" group:"Headless start"`
	ProjectName      string `help:"Name of the project." default:"Provisioned Project" placeholder:"NAME" also:"LANGFUSE_INIT_PROJECT_NAME" group:"Headless start"`
	ProjectRetention int    `help:"Retention in days, at least 3; 0 keeps data forever." default:"0" placeholder:"DAYS" also:"LANGFUSE_INIT_PROJECT_RETENTION" group:"Headless start"`
	ProjectPublicKey string `help:"Public key of the project." placeholder:"KEY" also:"LANGFUSE_INIT_PROJECT_PUBLIC_KEY" group:"Headless start"`
	ProjectSecretKey Secret `help:"Secret key of the project." placeholder:"KEY" also:"LANGFUSE_INIT_PROJECT_SECRET_KEY" group:"Headless start"`
	UserEmail        string `help:"Email address of a user to create as an owner of the organization." placeholder:"EMAIL" also:"LANGFUSE_INIT_USER_EMAIL" group:"Headless start"`
	UserName         string `help:"Name of the user." default:"Provisioned User" placeholder:"NAME" also:"LANGFUSE_INIT_USER_NAME" group:"Headless start"`
	UserPassword     Secret `help:"Password of the user." placeholder:"PASSWORD" also:"LANGFUSE_INIT_USER_PASSWORD" group:"Headless start"`
}

// encryptionKeySize is the length of an encryption key in bytes.
const encryptionKeySize = 32

// maxEventDays is the maximum of --max-event-age and --max-event-future: ten thousand years.
const maxEventDays = 3_652_500

// minAdminKey is the minimum length of the admin key.
const minAdminKey = 16

// Validate returns an error if the options are invalid or contradict each other. It is called after all of them are
// read.
func (s *Serve) Validate() error {
	positive := map[string]int64{
		"--max-connections": int64(s.MaxConnections), "--max-concurrent-requests": int64(s.MaxConcurrentRequests),
		"--request-queue-timeout": int64(s.RequestQueueTimeout), "--request-memory": int64(s.RequestMemory),
		"--request-timeout": int64(s.RequestTimeout),
		"--header-timeout":  int64(s.HeaderTimeout), "--read-timeout": int64(s.ReadTimeout), "--write-timeout": int64(s.WriteTimeout),
		"--idle-timeout": int64(s.IdleTimeout), "--max-header": int64(s.MaxHeader), "--shutdown-timeout": int64(s.ShutdownTimeout),
		"--key-cache-life": int64(s.KeyCacheLife), "--max-export": int64(s.MaxExport), "--ingest-memory": int64(s.IngestMemory),
		"--ingest-queue-timeout": int64(s.IngestQueueTimeout), "--max-media": int64(s.MaxMedia),
	}
	for name, value := range positive {
		if value <= 0 {
			return fmt.Errorf("%s must be greater than 0", name)
		}
	}
	for name, days := range map[string]int{"--max-event-age": s.MaxEventAge, "--max-event-future": s.MaxEventFuture} {
		if days < 0 || days > maxEventDays {
			return fmt.Errorf("%s must be between 0 and %d days", name, maxEventDays)
		}
	}
	if err := s.validateAddresses(); err != nil {
		return err
	}
	if err := s.validateTLS(s.Stateless()); err != nil {
		return err
	}
	if err := s.validateSSO(); err != nil {
		return err
	}
	if err := s.validateMail(); err != nil {
		return err
	}
	if u, err := url.Parse(s.FeedbackURL.Reveal()); s.FeedbackURL != "" &&
		(err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		return errors.New("--feedback-url is not a URL such as https://hooks.example.org/feedback")
	}
	if key := s.AdminAPIKey.Reveal(); key != "" && len(key) < minAdminKey {
		return fmt.Errorf("--admin-api-key must have at least %d characters: use a random one, as printed by openssl rand -hex 32",
			minAdminKey)
	}
	if _, err := clientaddr.ParseProxies(s.TrustedProxies); err != nil {
		return fmt.Errorf("--trusted-proxies: %w", err)
	}
	if s.EncryptionKey != "" {
		if raw, err := hex.DecodeString(s.EncryptionKey.Reveal()); err != nil || len(raw) != encryptionKeySize {
			return fmt.Errorf("--encryption-key must be %d hexadecimal digits, as printed by openssl rand -hex %d", 2*encryptionKeySize,
				encryptionKeySize)
		}
	}
	if s.Stateless() && s.EncryptionKey == "" {
		return fmt.Errorf("--encryption-key is required, since --catalog, --store and --blob leave nothing in the data directory: "+
			"all servers that share a catalog must have the same key, as printed by openssl rand -hex %d", encryptionKeySize)
	}
	if days := s.ProjectRetention; days < 0 || days > 0 && days < domain.MinRetentionDays {
		return fmt.Errorf("--init-project-retention %d: must be at least %d days, or 0 to keep data forever", days, domain.MinRetentionDays)
	}
	return nil
}

// Stateless reports whether nothing is kept in the data directory, so that any number of servers can use the same data.
func (s Storage) Stateless() bool {
	catalog := s.Catalog.Reveal()
	shared := strings.HasPrefix(catalog, "postgres://") || strings.HasPrefix(catalog, "postgresql://")
	return shared && s.EventsInClickHouse() && s.BlobsInBucket()
}

// DataDirectory returns the data directory, or "none" for a server without one.
func (s Storage) DataDirectory() string {
	if s.Stateless() {
		return "none"
	}
	return s.Data
}

// BlobsInBucket reports whether media are in a bucket rather than in a directory.
func (s Storage) BlobsInBucket() bool { return strings.HasPrefix(s.Blob, "s3://") }

// BlobDirectory returns the directory of media, or the given default.
func (s Storage) BlobDirectory(usual string) string { return cmp.Or(s.Blob, usual) }

// CatalogAddress returns the address of the catalog, or the given file by default.
func (s Storage) CatalogAddress(file string) string { return cmp.Or(s.Catalog.Reveal(), file) }

// EventsInClickHouse reports whether events are in a database rather than in the data directory.
func (s Storage) EventsInClickHouse() bool { return s.Store != "" }

// Secret is an option whose value must not be shown. It prints as dots; Reveal returns the value.
type Secret string

const hidden = "•••"

// String hides the secret from fmt and logs.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString hides the secret from %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides the secret from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Reveal returns the secret as plain text.
func (s Secret) Reveal() string { return string(s) }

// Bytes is a size in bytes, written as a number with an optional unit: 65536, 64KB, 256MB, 2GB. Units are powers of
// 1024.
type Bytes int64

// UnmarshalText parses a size.
func (b *Bytes) UnmarshalText(text []byte) error {
	var (
		number float64
		unit   string
	)
	if n, _ := fmt.Sscanf(strings.ToUpper(string(text)), "%f%s", &number, &unit); n == 0 {
		return fmt.Errorf("%q is not a size such as 64KB or 256MB", text)
	}
	factor, ok := map[string]float64{
		"": 1, "B": 1, "K": 1 << 10, "KB": 1 << 10, "M": 1 << 20, "MB": 1 << 20, "G": 1 << 30, "GB": 1 << 30,
	}[unit]
	if !ok || number < 0 || number*factor > 1<<60 {
		return fmt.Errorf("%q is not a size such as 64KB or 256MB", text)
	}
	*b = Bytes(number * factor)
	return nil
}
