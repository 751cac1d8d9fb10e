package export

// Manifests is the folder of the manifests of scheduled exports.
const Manifests = "manifests"

// ManifestFile describes an object written by a run, in its manifest.
type ManifestFile struct {
	Key         string `json:"key"`
	Table       string `json:"table"`
	FileType    string `json:"fileType"`
	Format      string `json:"format"`
	Compressed  bool   `json:"compressed"`
	ContentType string `json:"contentType"`
	SizeBytes   int64  `json:"sizeBytes"`
	RowCount    int64  `json:"rowCount"`
	SHA256      string `json:"sha256"`
	After       *int64 `json:"after,omitempty"`
	UpTo        *int64 `json:"upTo,omitempty"`
}

// Manifest is written at the end of a run of a scheduled export, when all of its objects exist.
type Manifest struct {
	Version       int            `json:"version"`
	SchemaVersion int            `json:"schemaVersion"`
	ProjectID     string         `json:"projectId"`
	ExportSource  string         `json:"exportSource"`
	Window        ManifestWindow `json:"window"`
	MaxTimestamp  string         `json:"maxTimestamp"`
	CreatedAt     string         `json:"createdAt"`
	Tables        []string       `json:"tables"`
	Files         []ManifestFile `json:"files"`
}

// ManifestWindow is the time between two runs.
type ManifestWindow struct {
	MinTimestamp *string `json:"minTimestamp"` // null if there was no earlier run
	MaxTimestamp string  `json:"maxTimestamp"`
}
