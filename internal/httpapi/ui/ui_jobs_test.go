package ui_test

import (
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// TestUIJobs lists, cancels and retries the background jobs of a project. Scheduled exports need their own permission.
func TestUIJobs(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	member := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	jobs := apitest.UIProject + "/jobs"
	viewer.Ask(t, "GET", jobs, "", 403)
	if got := owner.Ask(t, "GET", jobs, "", 200); got != `{"jobs":[]}` {
		t.Errorf("at first: %s", got)
	}
	e := f.Export(t, `{"table":"scores","format":"csv"}`)
	owner.Ask(t, "PUT", apitest.UIProject+"/blob-storage",
		`{"projectId":"project-a","type":"S3","bucketName":"b","region":"eu-west-1","accessKeyId":"k","secretAccessKey":"s",
		"exportFrequency":"hourly","enabled":true,"forcePathStyle":false,"fileType":"JSON","exportMode":"FULL_HISTORY"}`, 200)
	file, bucket := jobs+"/export/"+e.ID, jobs+"/scheduled-export/project-a"
	if got := owner.Ask(t, "GET", jobs, "", 200); !strings.Contains(got, `"kind":"export","id":"`+e.ID+
		`","subject":"scores","state":"queued"`) ||
		!strings.Contains(got, `"kind":"scheduled-export","id":"project-a","subject":"b","state":"queued"`) {
		t.Errorf("queued: %s", got)
	}
	if got := member.Ask(t, "GET", jobs, "", 200); !strings.Contains(got, e.ID) ||
		strings.Contains(got, "scheduled-export") != domain.RoleMember.InProject().Has(domain.IntegrationsRead) {
		t.Errorf("a member sees %s", got)
	}
	log := apitest.DecodeJSON[apitest.Exported](t, []byte(owner.Ask(t, "POST", apitest.UIProject+"/exports", `{"table":"audit_logs","format":"jsonl"}`, 201)))
	if strings.Contains(member.Ask(t, "GET", jobs, "", 200), log.ID) {
		t.Error("a member sees an export of the audit log")
	}
	member.Ask(t, "POST", jobs+"/export/"+log.ID+"/cancel", "", 403)
	member.Ask(t, "POST", jobs+"/export/"+log.ID+"/retry", "", 403)
	viewer.Ask(t, "POST", file+"/cancel", "", 403)
	member.Ask(t, "POST", bucket+"/cancel", "", 403)
	owner.Ask(t, "POST", jobs+"/export/none/cancel", "", 404)
	owner.Ask(t, "POST", jobs+"/retention/retention-by-age/cancel", "", 404)
	if got := member.Ask(t, "POST", file+"/cancel", "", 200); !strings.Contains(got, `"state":"cancelled"`) {
		t.Errorf("cancelled: %s", got)
	}
	owner.Ask(t, "POST", file+"/cancel", "", 409)
	if got := member.Ask(t, "POST", file+"/retry", "", 200); !strings.Contains(got, `"state":"queued"`) {
		t.Errorf("retried: %s", got)
	}
	owner.Ask(t, "POST", file+"/retry", "", 409)
	if got := owner.Ask(t, "POST", bucket+"/cancel", "", 200); !strings.Contains(got, `"state":"waiting"`) {
		t.Errorf("cancelled: %s", got)
	}
	if got := owner.Ask(t, "POST", bucket+"/retry", "", 200); !strings.Contains(got, `"state":"queued"`) {
		t.Errorf("retried: %s", got)
	}
}
