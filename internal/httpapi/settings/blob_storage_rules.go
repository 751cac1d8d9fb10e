package settings

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/netguard"
	"almanac/internal/transfer/export"
)

// The limits of an integration.
const (
	maxBucketName     = 255
	maxBlobEndpoint   = 2000
	maxBlobRegion     = 100
	maxBlobPrefix     = 1000
	maxBlobCredential = 5000
	// latestExportStart is how far in the future an export may start: in some time zones it is already tomorrow.
	latestExportStart = 27 * time.Hour
)

// readBlobStorage reads an integration. It returns the secret separately; nil if none is given.
func readBlobStorage(body decode.Value, now time.Time) (n domain.BlobStorageIntegration, secret *string, err error) {
	text := func(maximum int) func(decode.Value) string {
		return func(v decode.Value) string { return v.TextLen(1, maximum) }
	}
	b := body.Object()
	n.ProjectID = b.Field("projectId").Text()
	n.Type = b.Field("type").Enum(domain.BlobS3, domain.BlobS3Compatible, domain.BlobAzure)
	bucket, region := b.Field("bucketName"), b.Field("region")
	n.BucketName = bucket.TextLen(1, maxBucketName)
	endpoint := b.Field("endpoint")
	n.Endpoint = decode.Nullish(endpoint, func(v decode.Value) string { return v.WebAddress(maxBlobEndpoint) })
	n.Region = region.TextLen(0, maxBlobRegion)
	accessKey, secretKey := b.Field("accessKeyId"), b.Field("secretAccessKey")
	n.AccessKeyID = decode.Nullish(accessKey, text(maxBlobCredential))
	secret = decode.Nullish(secretKey, text(maxBlobCredential))
	decode.Set(&n.Prefix, decode.Nullish(b.Field("prefix"), readBlobPrefix))
	n.ExportFrequency = b.Field("exportFrequency").Enum(domain.ExportFrequencies()...)
	n.Enabled, n.ForcePathStyle = b.Field("enabled").Bool(), b.Field("forcePathStyle").Bool()
	n.FileType = b.Field("fileType").Enum("JSON", "CSV", "JSONL", "PARQUET")
	n.ExportMode = b.Field("exportMode").Enum(domain.ExportFullHistory, domain.ExportFromToday, domain.ExportFromCustomDate)
	start := b.Field("exportStartDate")
	n.ExportStartDate = decode.Nullish(start, decode.Value.Date)
	n.Compressed = true
	decode.Set(&n.Compressed, decode.Nullish(b.Field("compressed"), decode.Value.Bool))
	source, groups := b.Field("exportSource"), b.Field("exportFieldGroups")
	decode.Set(&n.ExportSource, decode.Nullish(source, readExportSource))
	decode.Set(&n.FieldGroups, decode.Nullish(groups, readFieldGroups))
	b.Strict()
	if err := b.Err(); err != nil {
		return n, nil, err
	}

	reject := func(v decode.Value, message string) { v.Reject(decode.Violation(v.Path(), message)) }
	if n.Type != domain.BlobS3 && n.AccessKeyID == nil {
		reject(accessKey, "accessKeyId is required, except for S3 with the credentials of the server's host")
	}
	if n.AccessKeyID == nil && secret != nil {
		reject(secretKey, "secretAccessKey needs an accessKeyId")
	}
	if n.Type == domain.BlobS3Compatible && n.Endpoint == nil {
		reject(endpoint, "endpoint is required for S3_COMPATIBLE")
	}
	check := func(v decode.Value, err error) {
		if err != nil {
			reject(v, err.Error())
		}
	}
	// These become parts of a host name or of a path.
	check(region, netguard.CheckStorageRegion(n.Region))
	if n.Type == domain.BlobAzure {
		check(bucket, netguard.CheckContainer(n.BucketName))
		if n.AccessKeyID != nil {
			check(accessKey, netguard.CheckAccount(*n.AccessKeyID))
		}
	} else {
		check(bucket, netguard.CheckBucket(n.BucketName))
	}
	if n.Endpoint != nil {
		check(endpoint, netguard.CheckStorageEndpoint(*n.Endpoint))
	}
	if n.ExportMode == domain.ExportFromCustomDate {
		switch {
		case n.ExportStartDate == nil:
			reject(start, "exportStartDate is required for FROM_CUSTOM_DATE")
		case n.ExportStartDate.After(now.Add(latestExportStart)):
			reject(start, "exportStartDate is in the future")
		}
	}
	if n.FieldGroups != nil && n.ExportSource == "" {
		reject(groups, "exportFieldGroups requires exportSource")
	}
	return n, secret, b.Err()
}

func readBlobPrefix(v decode.Value) string {
	text := v.TextLen(0, maxBlobPrefix)
	if text != "" && !strings.HasSuffix(text, "/") {
		v.Reject(decode.Violation(v.Path(), "prefix is empty or ends with a slash"))
	}
	return text
}

func readExportSource(v decode.Value) string {
	source := v.Enum("LEGACY_TRACES_OBSERVATIONS", domain.ExportObservations, "LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS")
	if strings.HasPrefix(source, "LEGACY_") {
		v.Reject(decode.Violation(v.Path(), "This server keeps no legacy traces and observations: export "+domain.ExportObservations))
	}
	return source
}

// readFieldGroups reads groups of columns and removes duplicates.
func readFieldGroups(v decode.Value) []string {
	groups := []string{}
	for _, item := range v.ArrayLen(0, 2*len(export.FieldGroups())) {
		if group := item.Enum(export.FieldGroups()...); group != "" && !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	if v.Kind() == "array" && !slices.Contains(groups, "core") {
		v.Reject(decode.Violation(v.Path(), "exportFieldGroups contains core"))
	}
	return groups
}
