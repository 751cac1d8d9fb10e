package settings

import (
	"strings"
	"testing"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// FuzzBlobStorage checks that no body makes the reader panic, and that accepted integrations are consistent.
func FuzzBlobStorage(f *testing.F) {
	for _, seed := range []string{
		`{"projectId":"p","type":"S3","bucketName":"bucket","region":"r","exportFrequency":"daily","enabled":true,"forcePathStyle":false,"fileType":"JSON"}`,
		`{"projectId":"p","type":"S3","bucketName":"bucket","region":"r","exportFrequency":"daily","enabled":true,"forcePathStyle":false,"fileType":"JSON",` +
			`"exportMode":"FROM_CUSTOM_DATE","exportStartDate":"2026","exportSource":"OBSERVATIONS_V2","exportFieldGroups":["core"]}`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	now := time.Now()
	f.Fuzz(func(t *testing.T, text []byte) {
		if decode.CheckJSON(text) != nil {
			return
		}
		n, secret, err := readBlobStorage(decode.NewBody(text), now)
		if err != nil {
			return
		}
		if n.Type == "" || n.BucketName == "" || secret != nil && n.AccessKeyID == nil || n.ExportMode == domain.ExportFromCustomDate &&
			n.ExportStartDate == nil ||
			n.Prefix != "" && !strings.HasSuffix(n.Prefix, "/") {
			t.Errorf("accepted %s as %+v", text, n)
		}
	})
}
