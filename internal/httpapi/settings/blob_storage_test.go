package settings_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/exports"
	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const blobPath = "/api/public/integrations/blob-storage"

func authOff() auth.Admin { return auth.NewAdmin("") }

func TestPutBlobStorage(t *testing.T) {
	put := func(name, body string, status int, want string, contains ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "PUT", Path: blobPath, Key: "organization", Body: body, Status: status, Want: want, Contains: contains,
			Missing: []string{"0123456789"},
		}
	}
	stored := func(name, members string, contains ...string) apitest.Scenario {
		return put(name, apitest.Integration(members), 200, "", contains...)
	}
	refused := func(name, members string, issues ...string) apitest.Scenario {
		return put(name, apitest.Integration(members), 400, apitest.Invalid(issues...))
	}
	says := func(name, members string, parts ...string) apitest.Scenario {
		return put(name, apitest.Integration(members), 400, "", parts...)
	}
	at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	apitest.Run(t, []apitest.Scenario{
		stored("the least", ``,
			`{"id":"project-a","projectId":"project-a","type":"S3","bucketName":"b","endpoint":null,"region":"eu-central-1","accessKeyId":"AKIA","prefix":"","exportFrequency":"daily","enabled":true,"forcePathStyle":false,"fileType":"JSONL","exportMode":"FULL_HISTORY","exportStartDate":null,"compressed":true,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":null,"nextSyncAt":null,"lastSyncAt":null,"lastError":null,"lastErrorAt":null,"createdAt":"`),
		stored("everything",
			`,"type":"S3_COMPATIBLE","endpoint":"http://minio.local:9000","prefix":"a/b/","exportFrequency":"every_20_minutes","enabled":false,"forcePathStyle":true,"fileType":"PARQUET","exportMode":"FROM_CUSTOM_DATE","exportStartDate":"2026-01-02","compressed":false,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":["core","io","core","tools"]`,
			`"endpoint":"http://minio.local:9000"`, `"prefix":"a/b/"`,
			`"exportStartDate":"2026-01-02T00:00:00.000Z","compressed":false,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":["core","io","tools"]`),
		stored("null for what may be left out",
			`,"endpoint":null,"prefix":null,"exportStartDate":null,"compressed":null,"exportSource":null,"exportFieldGroups":null`,
			`"compressed":true`),
		stored("S3 with the host's credentials", `,"accessKeyId":null,"secretAccessKey":null`, `"accessKeyId":null`),
		stored("from today on", `,"exportMode":"FROM_TODAY"`, `"exportStartDate":"20`),
		stored("from tomorrow on", `,"exportMode":"FROM_CUSTOM_DATE","exportStartDate":"`+at(26*time.Hour)+`"`),
		stored("azure", `,"type":"AZURE_BLOB_STORAGE","accessKeyId":"account1"`, `"type":"AZURE_BLOB_STORAGE"`),

		refused("an unknown member", `,"x":1`, `{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}`),
		put("nothing", `{}`, 400, "", `["projectId"]`, `["type"]`, `["bucketName"]`, `["region"]`, `["exportFrequency"]`, `["enabled"]`,
			`["forcePathStyle"]`, `["fileType"]`, `["exportMode"]`),
		says("an unknown type", `,"type":"GCS"`,
			`"path":["type"],"message":"Invalid option: expected one of \"S3\"|\"S3_COMPATIBLE\"|\"AZURE_BLOB_STORAGE\""`),
		says("an unknown frequency", `,"exportFrequency":"yearly"`, `"path":["exportFrequency"]`),
		says("an unknown file type", `,"fileType":"XML"`, `"path":["fileType"]`),
		says("an unknown mode", `,"exportMode":"NONE"`, `"path":["exportMode"]`),
		says("an endpoint that is no URL", `,"endpoint":"minio:9000"`, `"path":["endpoint"],"message":"Invalid URL"`),
		says("no bucket", `,"bucketName":""`, `"path":["bucketName"],"message":"Too small`),
		refused("a prefix without a slash", `,"prefix":"a"`, apitest.Custom(`["prefix"]`, "prefix is empty or ends with a slash")),
		refused("no start date", `,"exportMode":"FROM_CUSTOM_DATE"`,
			apitest.Custom(`["exportStartDate"]`, "exportStartDate is required for FROM_CUSTOM_DATE")),
		refused("a start date far ahead", `,"exportMode":"FROM_CUSTOM_DATE","exportStartDate":"`+at(28*time.Hour)+`"`,
			apitest.Custom(`["exportStartDate"]`, "exportStartDate is in the future")),
		refused("a legacy source", `,"exportSource":"LEGACY_TRACES_OBSERVATIONS"`,
			apitest.Custom(`["exportSource"]`, "This server keeps no legacy traces and observations: export OBSERVATIONS_V2")),
		refused("another legacy source", `,"exportSource":"LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS"`,
			apitest.Custom(`["exportSource"]`, "This server keeps no legacy traces and observations: export OBSERVATIONS_V2")),
		says("an unknown source", `,"exportSource":"x"`, `"path":["exportSource"],"message":"Invalid option`),
		refused("groups without a source", `,"exportFieldGroups":["core"]`,
			apitest.Custom(`["exportFieldGroups"]`, "exportFieldGroups requires exportSource")),
		refused("groups without core", `,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":["io"]`,
			apitest.Custom(`["exportFieldGroups"]`, "exportFieldGroups contains core")),
		refused("no groups", `,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":[]`,
			apitest.Custom(`["exportFieldGroups"]`, "exportFieldGroups contains core")),
		says("an unknown group", `,"exportSource":"OBSERVATIONS_V2","exportFieldGroups":["core","x"]`, `"path":["exportFieldGroups",1]`),
		refused("no credentials", `,"type":"AZURE_BLOB_STORAGE","accessKeyId":null,"secretAccessKey":null`,
			apitest.Custom(`["accessKeyId"]`, "accessKeyId is required, except for S3 with the credentials of the server's host")),
		refused("a secret alone", `,"accessKeyId":null`, apitest.Custom(`["secretAccessKey"]`, "secretAccessKey needs an accessKeyId")),
		refused("no secret", `,"secretAccessKey":null`, apitest.Custom(`["secretAccessKey"]`, "secretAccessKey is needed with a new accessKeyId")),
		refused("credentials in the endpoint", `,"type":"S3_COMPATIBLE","endpoint":"https://user:password@s3.example.org"`,
			apitest.Custom(`["endpoint"]`, "The URL holds a user name or a password: anybody who can read it would see them")),
		refused("an endpoint with a query", `,"type":"S3_COMPATIBLE","endpoint":"https://s3.example.org/?x"`,
			apitest.Custom(`["endpoint"]`, "the URL of a storage has no query and no fragment")),
		refused("a host as account", `,"type":"AZURE_BLOB_STORAGE","accessKeyId":"evil.example/?"`,
			apitest.Custom(`["accessKeyId"]`, "the name of a storage account of Azure has 3 to 24 lower-case letters and digits")),
		refused("a host as bucket", `,"bucketName":"evil.example/?"`,
			apitest.Custom(`["bucketName"]`, "the name of a bucket has up to 63 letters, digits, hyphens, underscores and single dots")),
		refused("a host as container", `,"type":"AZURE_BLOB_STORAGE","accessKeyId":"account1","bucketName":"../x"`,
			apitest.Custom(`["bucketName"]`, "the name of a container has up to 63 lower-case letters, digits and single hyphens")),
		refused("a host as region", `,"region":"evil.example/"`,
			apitest.Custom(`["region"]`, "the region is not the name of one, such as eu-central-1")),
		refused("no endpoint", `,"type":"S3_COMPATIBLE"`, apitest.Custom(`["endpoint"]`, "endpoint is required for S3_COMPATIBLE")),

		put("an unknown project", apitest.Integration(`,"projectId":"nope"`), 404,
			`{"message":"Project not found or you don't have access to it","error":"LangfuseNotFoundError"}`),
		put("a project of another organization", apitest.Integration(`,"projectId":"project-b"`), 404,
			`{"message":"Project not found or you don't have access to it","error":"LangfuseNotFoundError"}`),
		{Name: "a project key", Method: "PUT", Path: blobPath, Key: "project", Body: apitest.Integration(``), Status: 403},
		{Name: "no key", Method: "PUT", Path: blobPath, Body: apitest.Integration(``), Status: 401},
	})
}

func TestBlobStorage(t *testing.T) {
	f := apitest.New(t, nil)
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
	hasSecret := func(want string) func(*testing.T, *apitest.Fixture) {
		return func(t *testing.T, _ *apitest.Fixture) {
			if got := secretOf(); got != want {
				t.Errorf("the secret is %q, want %q", got, want)
			}
		}
	}
	isAudited := func(t *testing.T, f *apitest.Fixture) {
		var actions []string
		for e, err := range f.Catalog.AuditLog(t.Context(), domain.OfOrganization("org-a"),
			catalog.AuditFilter{ResourceKind: exports.KindBlobStorage}) {
			if err != nil {
				t.Fatal(err)
			}
			actions = append(actions, e.Action)
		}
		if !slices.Equal(actions, []string{"update", "update", "update", "update", "create"}) { // the first is from the run
			t.Errorf("the audit log has %q", actions)
		}
	}
	for _, s := range []apitest.Scenario{
		{Name: "none", Path: blobPath, Key: "organization", Status: 200, Want: `{"data":[]}`},
		{Name: "status of none", Path: path, Key: "organization", Status: 404, Want: notFound},
		{Name: "delete none", Method: "DELETE", Path: path, Key: "organization", Status: 404, Want: notFound},
		{Name: "run none", Method: "POST", Path: path + "/run", Key: "organization", Status: 404, Want: notFound},
		{
			Name: "create", Method: "PUT", Path: blobPath, Key: "organization", Body: apitest.Integration(``), Status: 200,
			After: hasSecret("0123456789"),
		},
		{Name: "status", Path: path, Key: "organization", Status: 200, Want: status("idle", true)},
		{
			Name: "the secret is kept", Method: "PUT", Path: blobPath, Key: "organization",
			Body: apitest.Integration(`,"secretAccessKey":null,"enabled":false`), Status: 200, After: hasSecret("0123456789"),
		},
		{Name: "status when off", Path: path, Key: "organization", Status: 200, Want: status("disabled", false)},
		{
			Name: "run what is off", Method: "POST", Path: path + "/run", Key: "organization", Status: 409,
			Contains: []string{"The export is not enabled. Enable it first."},
		},
		{
			Name: "another secret", Method: "PUT", Path: blobPath, Key: "organization", Body: apitest.Integration(`,"secretAccessKey":"new"`),
			Status: 200, After: hasSecret("new"),
		},
		{
			Name: "the host's credentials", Method: "PUT", Path: blobPath, Key: "organization",
			Body: apitest.Integration(`,"accessKeyId":null,"secretAccessKey":null`), Status: 200, After: hasSecret(""),
		},
		{
			Name: "a secret is needed again", Method: "PUT", Path: blobPath, Key: "organization",
			Body: apitest.Integration(`,"secretAccessKey":null`), Status: 400, Contains: []string{"secretAccessKey is needed"},
		},
		{Name: "run", Method: "POST", Path: path + "/run", Key: "organization", Status: 200, Contains: []string{
			`{"id":"project-a","projectId":"project-a","syncStatus":"queued","enabled":true,"lastSyncAt":null,"nextSyncAt":"20`,
			`,"lastError":null,"lastErrorAt":null}`,
		}, After: isAudited},
		{Name: "run for another organization", Method: "POST", Path: path + "/run", Key: "foreignOrg", Status: 404, Want: notFound},
		{Name: "run with a project key", Method: "POST", Path: path + "/run", Key: "project", Status: 403},
		{
			Name: "test", Method: "POST", Path: path + "/test", Key: "organization", Status: 200,
			Contains: []string{`{"ok":false,"message":"The export has no access key.`},
		},
		{Name: "test for another organization", Method: "POST", Path: path + "/test", Key: "foreignOrg", Status: 404, Want: notFound},
		{
			Name: "take over", Method: "POST", Path: path + "/take-over", Key: "organization", Status: 200,
			Contains: []string{`{"ok":false,"message":"The export has no access key.`},
		},
		{
			Name: "take over for another organization", Method: "POST", Path: path + "/take-over", Key: "foreignOrg", Status: 404,
			Want: notFound,
		},
		{Name: "list", Path: blobPath, Key: "organization", Status: 200, Contains: []string{`{"data":[{"id":"project-a"`}},
		{Name: "list of another organization", Path: blobPath, Key: "foreignOrg", Status: 200, Want: `{"data":[]}`},
		{Name: "status for another organization", Path: path, Key: "foreignOrg", Status: 404, Want: notFound},
		{Name: "delete for another organization", Method: "DELETE", Path: path, Key: "foreignOrg", Status: 404, Want: notFound},
		{Name: "list with a project key", Path: blobPath, Key: "project", Status: 403},
		{
			Name: "delete", Method: "DELETE", Path: path, Key: "organization", Status: 200,
			Want: `{"message":"Blob storage integration successfully deleted"}`,
		},
		{Name: "status of a deleted one", Path: path, Key: "organization", Status: 404, Want: notFound},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}
