package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bucket keeps blobs in a bucket of S3, or of another store that speaks its protocol.
type Bucket struct {
	client      *http.Client
	base        url.URL // of the bucket, with the prefix of its keys
	credentials credentials
	now         func() time.Time
}

// unsigned stands for the hash of a body that is not known before it was sent. TLS protects such a body on its way, and
// whoever sent it checks it.
const unsigned = "UNSIGNED-PAYLOAD"

// BucketOptions say where a bucket is and who we are to it.
type BucketOptions struct {
	// Address is s3://bucket/prefix, with the parameters region, endpoint (an address such as http://minio:9000) and
	// path-style=false for endpoints that want the bucket in the name of the host.
	Address                            string
	AccessKey, SecretKey, SessionToken string
}

// OpenBucket returns the bucket. It does not talk to it.
func OpenBucket(o BucketOptions) (*Bucket, error) {
	u, err := url.Parse(o.Address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil {
		return nil, errors.New("the address of a bucket is s3://bucket/prefix?region=…&endpoint=…")
	}
	query := u.Query()
	for name := range query {
		if name != "region" && name != "endpoint" && name != "path-style" {
			return nil, fmt.Errorf("the address of a bucket has no parameter %q; there are region, endpoint and path-style", name)
		}
	}
	if o.AccessKey == "" || o.SecretKey == "" {
		return nil, errors.New("a bucket needs an access key and a secret key")
	}
	region := query.Get("region")
	if region == "" {
		region = "us-east-1"
	}
	base := &url.URL{Scheme: "https", Host: u.Host + ".s3." + region + ".amazonaws.com", Path: "/"}
	if endpoint := query.Get("endpoint"); endpoint != "" {
		if base, err = url.Parse(endpoint); err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
			return nil, fmt.Errorf("the endpoint %q of the bucket is not a URL such as http://minio:9000", endpoint)
		}
		if query.Get("path-style") == "false" {
			base.Host = u.Host + "." + base.Host
		} else {
			base = base.JoinPath(u.Host)
		}
	}
	base = base.JoinPath(strings.Trim(u.Path, "/"))
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented to be one
	transport.ResponseHeaderTimeout = time.Minute
	return &Bucket{
		client: &http.Client{Transport: transport}, base: *base, now: time.Now,
		credentials: credentials{o.AccessKey, o.SecretKey, o.SessionToken, region, "s3"},
	}, nil
}

// Close closes connections that nobody uses.
func (b *Bucket) Close() { b.client.CloseIdleConnections() }

// do sends a signed request and returns the answer if it has one of the statuses.
func (b *Bucket) do(ctx context.Context, method, key string, body io.Reader, size int64, header map[string]string, want ...int) (*http.Response, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, b.base.JoinPath(Place(key)).String(), body)
	if err != nil {
		return nil, err
	}
	payload := emptyPayload
	if body != nil {
		r.ContentLength, payload = size, unsigned
		if size == 0 {
			r.Body, payload = http.NoBody, emptyPayload
		}
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	b.credentials.sign(r, payload, b.now())
	answer, err := b.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("cannot reach the bucket of media: %w", err)
	}
	if slices.Contains(want, answer.StatusCode) {
		return answer, nil
	}
	const longest = 1000
	text, _ := io.ReadAll(io.LimitReader(answer.Body, longest))
	_ = answer.Body.Close()
	// A bucket that is missing is no reason to believe that its blobs were removed.
	if answer.StatusCode == http.StatusNotFound && !strings.Contains(string(text), "NoSuchBucket") {
		return nil, fmt.Errorf("%s: %w", key, ErrNotFound)
	}
	return nil, fmt.Errorf("the bucket of media answered %s of %s with %s: %s", method, key, answer.Status, text)
}

// Put sends a blob to the bucket. One that is not whole is not kept there, since its length was announced.
func (b *Bucket) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	whole := &exactly{r: r, left: size}
	if size == 0 {
		if err := whole.end(); err != nil {
			return err
		}
	}
	answer, err := b.do(ctx, http.MethodPut, key, whole, size, nil, http.StatusOK, http.StatusCreated, http.StatusNoContent)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// Remove removes a blob from the bucket.
func (b *Bucket) Remove(ctx context.Context, key string) error {
	answer, err := b.do(ctx, http.MethodDelete, key, nil, 0, nil, http.StatusOK, http.StatusNoContent)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// Open asks for the blob, so that one that is missing is noticed at once.
func (b *Bucket) Open(ctx context.Context, key string, size int64) (io.ReadSeekCloser, error) {
	remote := &remoteReader{ctx: ctx, bucket: b, key: key, size: size}
	if size > 0 {
		if err := remote.ask(); err != nil {
			return nil, err
		}
	}
	return remote, nil
}

// remoteReader reads a blob of a bucket. It asks for the rest of it from wherever it is read.
type remoteReader struct {
	ctx    context.Context // of the request that reads
	bucket *Bucket
	key    string
	size   int64
	at     int64         // where the next byte is read
	body   io.ReadCloser // what was asked for; nil if nothing was
	bodyAt int64         // where the next byte of body is from
}

func (r *remoteReader) ask() error {
	answer, err := r.bucket.do(r.ctx, http.MethodGet, r.key, nil, 0,
		map[string]string{"Range": "bytes=" + strconv.FormatInt(r.at, 10) + "-"}, http.StatusPartialContent)
	if err != nil {
		return err
	}
	if want := r.size - r.at; answer.ContentLength != want {
		_ = answer.Body.Close()
		return fmt.Errorf("the bucket of media has %d bytes of %s from %d on, not %d", answer.ContentLength, r.key, r.at, want)
	}
	r.body, r.bodyAt = answer.Body, r.at
	return nil
}

func (r *remoteReader) Read(into []byte) (int, error) {
	if r.at >= r.size {
		return 0, io.EOF
	}
	if r.body != nil && r.bodyAt != r.at {
		if err := r.Close(); err != nil {
			return 0, err
		}
	}
	if r.body == nil {
		if err := r.ask(); err != nil {
			return 0, err
		}
	}
	n, err := r.body.Read(into)
	r.at, r.bodyAt = r.at+int64(n), r.bodyAt+int64(n)
	return n, err
}

// Seek only remembers where to read. Whoever wants to know the length goes to the end and back.
func (r *remoteReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return r.at, fmt.Errorf("cannot go to %d in media", offset)
	}
	r.at = offset
	return offset, nil
}

// Close gives up what was asked for.
func (r *remoteReader) Close() error {
	if r.body == nil {
		return nil
	}
	err := r.body.Close()
	r.body = nil
	return err
}
