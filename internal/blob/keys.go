package blob

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/signer"

	"almanac/internal/netguard"
)

var errNoKeys = errors.New(
	"there are no keys: set --blob-access-key and --blob-secret-key, or give this machine a role or a shared credentials file")

// keyTimeout is the timeout for services that issue credentials.
const keyTimeout = 5 * time.Second

// keysOf returns the credentials of a bucket: the given ones, or those that AWS's own tools would find.
func keysOf(o BucketOptions, region string) (*credentials.Credentials, error) {
	switch {
	case o.AccessKey != "" && o.SecretKey != "":
		return credentials.NewStaticV4(o.AccessKey, o.SecretKey, o.SessionToken), nil
	case o.AccessKey != "" || o.SecretKey != "":
		return nil, errors.New("a bucket needs an access key and a secret key: only one of them is set")
	}
	return credentials.New(&foundKeys{sources: []credentials.Provider{
		&credentials.FileAWSCredentials{},
		&credentials.IAM{
			Client: netguard.ExactClient(netguard.TrustedTransport(), keyTimeout).HTTP(), Endpoint: roleEndpoint(), Region: region,
		},
	}}), nil
}

// roleEndpoint returns the endpoint for the credentials of a role, if it is not AWS's default.
func roleEndpoint() string {
	switch {
	case os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE") != "":
		return os.Getenv("AWS_ENDPOINT_URL_STS")
	case os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "", os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI") != "":
		return ""
	}
	return os.Getenv("AWS_EC2_METADATA_SERVICE_ENDPOINT")
}

// foundKeys returns the credentials of the first source that has any. The library's own chain continues anonymously if
// none has, and its requests are then denied for reasons that are hard to understand.
type foundKeys struct {
	sources []credentials.Provider
	found   credentials.Provider
}

// RetrieveWithCredContext returns credentials, or why there are none.
func (k *foundKeys) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	failure := errNoKeys
	for _, source := range k.sources {
		value, err := source.RetrieveWithCredContext(c)
		if err == nil && value.AccessKeyID != "" && value.SecretAccessKey != "" {
			k.found = source
			return value, nil
		}
		if err != nil {
			failure = fmt.Errorf("%w; %w", failure, err)
		}
	}
	return credentials.Value{}, failure
}

// Retrieve implements credentials.Provider.
func (k *foundKeys) Retrieve() (credentials.Value, error) { return k.RetrieveWithCredContext(nil) }

// IsExpired reports whether credentials must be retrieved again.
func (k *foundKeys) IsExpired() bool { return k.found == nil || k.found.IsExpired() }

// belowPath sends requests to a store below a path of its host, which the library does not support. The path is part of
// the signature.
type belowPath struct {
	endpoint  *url.URL
	keys      *credentials.Credentials
	region    string
	transport http.RoundTripper
	issuers   *netguard.Client // of credentials
}

// RoundTrip sends a request.
func (p *belowPath) RoundTrip(r *http.Request) (*http.Response, error) {
	value, err := p.keys.GetWithContext(&credentials.CredContext{Client: p.issuers.HTTP()})
	if err != nil {
		return nil, err
	}
	below := r.Clone(r.Context())
	place := p.endpoint.JoinPath(r.URL.EscapedPath())
	below.URL.Path, below.URL.RawPath = place.Path, place.RawPath
	return p.transport.RoundTrip(signer.SignV4(*below, value.AccessKeyID, value.SecretAccessKey, value.SessionToken, p.region))
}
