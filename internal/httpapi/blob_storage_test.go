package httpapi

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/exports"
	"almanac/internal/domain"
)

const blobPath = "/api/public/integrations/blob-storage"

func authOff() auth.Admin { return auth.NewAdmin("") }

// integration returns the body of an integration with additional members; later members override earlier ones.
func integration(members string) string {
	return `{"projectId":"project-a","type":"S3","bucketName":"b","region":"eu-central-1","accessKeyId":"AKIA","secretAccessKey":"0123456789","exportFrequency":"daily","enabled":true,"forcePathStyle":false,"fileType":"JSONL","exportMode":"FULL_HISTORY"` + members + `}`
}

func TestPutBlobStorage(t *testing.T) {
	put := func(name, body string, status int, want string, contains ...string) scenario {
		return scenario{name: name, method: "PUT", path: blobPath, key: "organization", body: body, status: status, want: want, contains: contains, missing: []string{"0123456789"}}
	}
	stored := func(name, members string, contains ...string) scenario {
		return put(name, integration(members), 200, "", contains...)
	}
	refused := func(name, members string, issues ...string) scenario {
		return put(name, integration(members), 400, invalid(issues...))
	}
	says := func(name, members string, parts ...string) scenario {
		return put(name, integration(members), 400, "", parts...)
	}
	at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	runScenarios(t, []scenario{
		stored("the least", ``,
			`{"id":"project-a","projectId":"project-a","type":"S3","bucketName":"b","endpoint":null,"region":"eu-central-1","accessKeyId":"AKIA","prefix":"","exportFrequency":"daily","enabled":true,"forcePathStyle":false,"fileType":"JSONL","exportMode":"FULL_HISTORY","exportStartDate":null,"compressed":true,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":null,"nextSyncAt":null,"lastSyncAt":null,"lastError":null,"lastErrorAt":null,"createdAt":"`),
		stored("everything", `,"type":"S3_COMPATIBLE","endpoint":"http://minio.local:9000","prefix":"a/b/","exportFrequency":"every_20_minutes","enabled":false,"forcePathStyle":true,"fileType":"PARQUET","exportMode":"FROM_CUSTOM_DATE","exportStartDate":"2026-01-02","compressed":false,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":["core","io","core","tools"]`,
			`"endpoint":"http://minio.local:9000"`, `"prefix":"a/b/"`, `"exportStartDate":"2026-01-02T00:00:00.000Z","compressed":false,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":["core","io","tools"]`),
		stored("null for what may be left out", `,"endpoint":null,"prefix":null,"exportStartDate":null,"compressed":null,"exportSource":null,"exportFieldGroups":null`, `"compressed":true`),
		stored("S3 with the host's credentials", `,"accessKeyId":null,"secretAccessKey":null`, `"accessKeyId":null`),
		stored("from today on", `,"exportMode":"FROM_TODAY"`, `"exportStartDate":"20`),
		stored("from tomorrow on", `,"exportMode":"FROM_CUSTOM_DATE","exportStartDate":"`+at(26*time.Hour)+`"`),
		stored("azure", `,"type":"AZURE_BLOB_STORAGE","accessKeyId":"account1"`, `"type":"AZURE_BLOB_STORAGE"`),

		refused("an unknown member", `,"x":1`, `{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}`),
		put("nothing", `{}`, 400, "", `["projectId"]`, `["type"]`, `["bucketName"]`, `["region"]`, `["exportFrequency"]`, `["enabled"]`, `["forcePathStyle"]`, `["fileType"]`, `["exportMode"]`),
		says("an unknown type", `,"type":"GCS"`, `"path":["type"],"message":"Invalid option: expected one of \"S3\"|\"S3_COMPATIBLE\"|\"AZURE_BLOB_STORAGE\""`),
		says("an unknown frequency", `,"exportFrequency":"yearly"`, `"path":["exportFrequency"]`),
		says("an unknown file type", `,"fileType":"XML"`, `"path":["fileType"]`),
		says("an unknown mode", `,"exportMode":"NONE"`, `"path":["exportMode"]`),
		says("an endpoint that is no URL", `,"endpoint":"minio:9000"`, `"path":["endpoint"],"message":"Invalid URL"`),
		says("no bucket", `,"bucketName":""`, `"path":["bucketName"],"message":"Too small`),
		refused("a prefix without a slash", `,"prefix":"a"`, custom(`["prefix"]`, "prefix is empty or ends with a slash")),
		refused("no start date", `,"exportMode":"FROM_CUSTOM_DATE"`, custom(`["exportStartDate"]`, "exportStartDate is required for FROM_CUSTOM_DATE")),
		refused("a start date far ahead", `,"exportMode":"FROM_CUSTOM_DATE","exportStartDate":"`+at(28*time.Hour)+`"`, custom(`["exportStartDate"]`, "exportStartDate is in the future")),
		refused("a legacy source", `,"exportSource":"LEGACY_TRACES_OBSERVATIONS"`, custom(`["exportSource"]`, "This server keeps no legacy traces and observations: export OBSERVATIONS_V2")),
		refused("another legacy source", `,"exportSource":"LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS"`, custom(`["exportSource"]`, "This server keeps no legacy traces and observations: export OBSERVATIONS_V2")),
		says("an unknown source", `,"exportSource":"x"`, `"path":["exportSource"],"message":"Invalid option`),
		refused("groups without a source", `,"exportFieldGroups":["core"]`, custom(`["exportFieldGroups"]`, "exportFieldGroups requires exportSource")),
		refused("groups without core", `,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":["io"]`, custom(`["exportFieldGroups"]`, "exportFieldGroups contains core")),
		refused("no groups", `,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":[]`, custom(`["exportFieldGroups"]`, "exportFieldGroups contains core")),
		says("an unknown group", `,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":["core","x"]`, `"path":["exportFieldGroups",1]`),
		refused("no credentials", `,"type":"AZURE_BLOB_STORAGE","accessKeyId":null,"secretAccessKey":null`, custom(`["accessKeyId"]`, "accessKeyId is required, except for S3 with the credentials of the server's host")),
		refused("a secret alone", `,"accessKeyId":null`, custom(`["secretAccessKey"]`, "secretAccessKey needs an accessKeyId")),
		refused("no secret", `,"secretAccessKey":null`, custom(`["secretAccessKey"]`, "secretAccessKey is needed with a new accessKeyId")),
		refused("credentials in the endpoint", `,"type":"S3_COMPATIBLE","endpoint":"https://user:password@s3.example.org"`,
			custom(`["endpoint"]`, "The URL holds a user name or a password: anybody who can read it would see them")),
		refused("an endpoint with a query", `,"type":"S3_COMPATIBLE","endpoint":"https://s3.example.org/?x"`,
			custom(`["endpoint"]`, "the URL of a storage has no query and no fragment")),
		refused("a host as account", `,"type":"AZURE_BLOB_STORAGE","accessKeyId":"evil.example/?"`,
			custom(`["accessKeyId"]`, "the name of a storage account of Azure has 3 to 24 lower-case letters and digits")),
		refused("a host as bucket", `,"bucketName":"evil.example/?"`,
			custom(`["bucketName"]`, "the name of a bucket has up to 63 letters, digits, hyphens, underscores and single dots")),
		refused("a host as container", `,"type":"AZURE_BLOB_STORAGE","accessKeyId":"account1","bucketName":"../x"`,
			custom(`["bucketName"]`, "the name of a container has up to 63 lower-case letters, digits and single hyphens")),
		refused("a host as region", `,"region":"evil.example/"`, custom(`["region"]`, "the region is not the name of one, such as eu-central-1")),
		refused("no endpoint", `,"type":"S3_COMPATIBLE"`, custom(`["endpoint"]`, "endpoint is required for S3_COMPATIBLE")),

		put("an unknown project", integration(`,"projectId":"nope"`), 404, `{"message":"Project not found or you don't have access to it","error":"LangfuseNotFoundError"}`),
		put("a project of another organization", integration(`,"projectId":"project-b"`), 404, `{"message":"Project not found or you don't have access to it","error":"LangfuseNotFoundError"}`),
		{name: "a project key", method: "PUT", path: blobPath, key: "project", body: integration(``), status: 403},
		{name: "no key", method: "PUT", path: blobPath, body: integration(``), status: 401},
	})
}

func TestBlobStorage(t *testing.T) {
	f := newFixture(t, nil)
	const (
		path     = blobPath + "/project-a"
		notFound = `{"message":"Blob storage integration not found","error":"LangfuseNotFoundError"}`
	)
	status := func(text string, enabled bool) string {
		return fmt.Sprintf(`{"id":"project-a","projectId":"project-a","syncStatus":%q,"enabled":%v,"lastSyncAt":null,"nextSyncAt":null,"lastError":null,"lastErrorAt":null}`, text, enabled)
	}
	secretOf := func() string {
		stored, err := f.Catalog.BlobStorageIntegration(t.Context(), domain.OfOrganization("org-a"), "project-a")
		if err != nil || stored.SealedSecret == nil {
			return ""
		}
		secret, err := f.Secrets.Open(*stored.SealedSecret, `blob storage of project "project-a"`)
		if err != nil {
			t.Error(err)
		}
		return secret
	}
	hasSecret := func(want string) func(*testing.T, *fixture) {
		return func(t *testing.T, _ *fixture) {
			if got := secretOf(); got != want {
				t.Errorf("the secret is %q, want %q", got, want)
			}
		}
	}
	isAudited := func(t *testing.T, f *fixture) {
		var actions []string
		for e, err := range f.Catalog.AuditLog(t.Context(), domain.OfOrganization("org-a"), catalog.AuditFilter{ResourceKind: exports.KindBlobStorage}) {
			if err != nil {
				t.Fatal(err)
			}
			actions = append(actions, e.Action)
		}
		if !slices.Equal(actions, []string{"update", "update", "update", "update", "create"}) { // the first is from the run
			t.Errorf("the audit log has %q", actions)
		}
	}
	for _, s := range []scenario{
		{name: "none", path: blobPath, key: "organization", status: 200, want: `{"data":[]}`},
		{name: "status of none", path: path, key: "organization", status: 404, want: notFound},
		{name: "delete none", method: "DELETE", path: path, key: "organization", status: 404, want: notFound},
		{name: "run none", method: "POST", path: path + "/run", key: "organization", status: 404, want: notFound},
		{name: "create", method: "PUT", path: blobPath, key: "organization", body: integration(``), status: 200, after: hasSecret("0123456789")},
		{name: "status", path: path, key: "organization", status: 200, want: status("idle", true)},
		{name: "the secret is kept", method: "PUT", path: blobPath, key: "organization", body: integration(`,"secretAccessKey":null,"enabled":false`), status: 200, after: hasSecret("0123456789")},
		{name: "status when off", path: path, key: "organization", status: 200, want: status("disabled", false)},
		{name: "run what is off", method: "POST", path: path + "/run", key: "organization", status: 409, contains: []string{"The export is not enabled. Enable it first."}},
		{name: "another secret", method: "PUT", path: blobPath, key: "organization", body: integration(`,"secretAccessKey":"new"`), status: 200, after: hasSecret("new")},
		{name: "the host's credentials", method: "PUT", path: blobPath, key: "organization", body: integration(`,"accessKeyId":null,"secretAccessKey":null`), status: 200, after: hasSecret("")},
		{name: "a secret is needed again", method: "PUT", path: blobPath, key: "organization", body: integration(`,"secretAccessKey":null`), status: 400, contains: []string{"secretAccessKey is needed"}},
		{name: "run", method: "POST", path: path + "/run", key: "organization", status: 200, contains: []string{
			`{"id":"project-a","projectId":"project-a","syncStatus":"queued","enabled":true,"lastSyncAt":null,"nextSyncAt":"20`, `,"lastError":null,"lastErrorAt":null}`,
		}, after: isAudited},
		{name: "run for another organization", method: "POST", path: path + "/run", key: "foreignOrg", status: 404, want: notFound},
		{name: "run with a project key", method: "POST", path: path + "/run", key: "project", status: 403},
		{name: "test", method: "POST", path: path + "/test", key: "organization", status: 200, contains: []string{`{"ok":false,"message":"The export has no access key.`}},
		{name: "test for another organization", method: "POST", path: path + "/test", key: "foreignOrg", status: 404, want: notFound},
		{name: "take over", method: "POST", path: path + "/take-over", key: "organization", status: 200, contains: []string{`{"ok":false,"message":"The export has no access key.`}},
		{name: "take over for another organization", method: "POST", path: path + "/take-over", key: "foreignOrg", status: 404, want: notFound},
		{name: "list", path: blobPath, key: "organization", status: 200, contains: []string{`{"data":[{"id":"project-a"`}},
		{name: "list of another organization", path: blobPath, key: "foreignOrg", status: 200, want: `{"data":[]}`},
		{name: "status for another organization", path: path, key: "foreignOrg", status: 404, want: notFound},
		{name: "delete for another organization", method: "DELETE", path: path, key: "foreignOrg", status: 404, want: notFound},
		{name: "list with a project key", path: blobPath, key: "project", status: 403},
		{name: "delete", method: "DELETE", path: path, key: "organization", status: 200, want: `{"message":"Blob storage integration successfully deleted"}`},
		{name: "status of a deleted one", path: path, key: "organization", status: 404, want: notFound},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}
