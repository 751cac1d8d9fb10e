package blob

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"almanac/internal/limits/memory"
	"almanac/internal/netguard"
)

const (
	// partSize is how many bytes of an upload are buffered, so that they can be sent again if the bucket fails. Larger
	// uploads are sent in parts of this size, the smallest that S3 accepts, one at a time.
	partSize = 5 << 20
	// heldUploads is the maximum number of uploads that buffer a part at the same time. Further ones are streamed and
	// cannot be retried: slow clients never take more memory than this.
	heldUploads = 4
	// attempts is the maximum number of attempts for a request.
	attempts = 5
)

// Bucket stores blobs in a bucket of S3 or an S3-compatible store.
type Bucket struct {
	core   minio.Core
	client *netguard.Client
	name   string
	prefix string // object name prefix; empty or ending with a slash
	where  string // address of the store, for messages
	held   chan struct{}
}

// BucketOptions configure the location of a bucket and access to it.
type BucketOptions struct {
	// Address is s3://bucket/prefix, with the parameters region, endpoint (a URL such as http://minio:9000) and
	// path-style=false for endpoints that expect the bucket in the host name.
	Address string
	// AccessKey and SecretKey are the credentials. If they are empty, credentials are looked up like AWS's own tools do:
	// in the shared credentials file, or from a web identity, a container or a machine role.
	AccessKey, SecretKey, SessionToken string
	// Client connects to the store: that of a guard, or TrustedClient for a store that the operator configured.
	Client *netguard.Client
}

// OpenBucket returns the bucket. It does not connect to it.
func OpenBucket(o BucketOptions) (*Bucket, error) {
	u, err := url.Parse(o.Address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil {
		return nil, errors.New("the address of a bucket is s3://bucket/prefix?region=…&endpoint=…")
	}
	if err := cmp.Or(netguard.CheckBucket(u.Host), s3utils.CheckValidBucketName(u.Host)); err != nil {
		return nil, fmt.Errorf("%q is no name of a bucket: %w", u.Host, err)
	}
	query := u.Query()
	for name := range query {
		if name != "region" && name != "endpoint" && name != "path-style" {
			return nil, fmt.Errorf("the address of a bucket has no parameter %q; there are region, endpoint and path-style", name)
		}
	}
	endpoint, lookup := &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}, minio.BucketLookupAuto
	if text := query.Get("endpoint"); text != "" {
		if endpoint, err = url.Parse(text); err != nil || endpoint.Scheme != "http" && endpoint.Scheme != "https" || endpoint.Host == "" {
			return nil, fmt.Errorf("the endpoint %q of the bucket is not a URL such as http://minio:9000", text)
		}
		if err := netguard.CheckStorageEndpoint(text); err != nil {
			return nil, fmt.Errorf("the endpoint %q of the bucket cannot be used: %w", endpoint.Redacted(), err)
		}
		lookup = minio.BucketLookupPath
		if query.Get("path-style") == "false" {
			lookup = minio.BucketLookupDNS
		}
	}
	region := cmp.Or(query.Get("region"), "us-east-1")
	if err := netguard.CheckStorageRegion(region); err != nil {
		return nil, err
	}
	keys, err := keysOf(o, region)
	if err != nil {
		return nil, err
	}
	b := &Bucket{
		name: u.Host, where: endpoint.Redacted(), held: make(chan struct{}, heldUploads), client: o.Client,
	}
	transport := bodyGuard{o.Client.RoundTripper()}
	if path := strings.Trim(u.Path, "/"); path != "" {
		b.prefix = path + "/"
	}
	options := &minio.Options{
		Creds: keys, Secure: endpoint.Scheme == "https", Region: region, BucketLookup: lookup, MaxRetries: attempts, Transport: transport,
	}
	if strings.Trim(endpoint.Path, "/") != "" {
		options.Transport = &belowPath{
			endpoint: endpoint, keys: keys, region: region, transport: transport,
			issuers: netguard.ExactClient(netguard.TrustedTransport(), keyTimeout),
		}
	}
	client, err := minio.New(endpoint.Host, options)
	if err != nil {
		return nil, fmt.Errorf("the endpoint %q of the bucket cannot be used: %w", b.where, err)
	}
	client.SetS3EnableDualstack(false) // private networks have addresses only for the plain name
	b.core = minio.Core{Client: client}
	return b, nil
}

// Close closes idle connections.
func (b *Bucket) Close() { b.client.CloseIdleConnections() }

// object returns the object name of a key.
func (b *Bucket) object(key string) string { return b.prefix + ObjectPath(key) }

// Put sends a blob to the bucket. An incomplete one is not stored there, since its length was announced.
func (b *Bucket) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if err := checkKey(key); err != nil {
		return err
	}
	// The body is not signed: TLS protects it in transit, and the caller verifies it.
	options := minio.PutObjectOptions{DisableContentSha256: true, PartSize: partSize, NumThreads: 1}
	if source, ok := r.(source); ok { // it can be read again
		if err := mustHave(source, size); err != nil {
			return err
		}
		options.DisableMultipart = true
	} else {
		whole := &exactly{r: r, left: size}
		if size == 0 {
			if err := whole.end(); err != nil {
				return err
			}
		}
		release, ok := b.hold(ctx, size)
		defer release()
		r, options.DisableMultipart = whole, !ok // the library buffers parts, unless there is only one
		if ok && size <= partSize {
			held := make([]byte, size)
			if _, err := io.ReadFull(whole, held); err != nil {
				return fmt.Errorf("cannot read media of %d bytes: %w", size, err)
			}
			r = bytes.NewReader(held)
		}
	}
	if _, err := b.core.Client.PutObject(ctx, b.name, b.object(key), r, size, options); err != nil {
		return b.explain("keep", key, err)
	}
	return nil
}

const (
	// uploadPart is how many bytes of an upload of unknown length are buffered, unless there is little memory. S3 allows
	// 10,000 parts per object.
	uploadPart = 16 << 20
	// uploadWhole is the size of objects that are sent in one request.
	uploadWhole = 1 << 20
)

// leased takes the memory for buffering a part of an upload from the lease of a context: at most a quarter of what the
// lease may hold.
func leased(ctx context.Context, most, least int64) (part int64, release func(), err error) {
	const share = 4
	lease := memory.Of(ctx)
	part = max(min(most, lease.Max()/share), least)
	if err := lease.Grow(ctx, part); err != nil {
		return 0, nil, err
	}
	return part, func() { lease.Shrink(part) }, nil
}

// Upload writes an object with a given name, replacing any existing one. It becomes visible once it is complete: an
// error of the reader leaves the existing object unchanged. Errors of the store are returned unchanged.
func (b *Bucket) Upload(ctx context.Context, name, contentType string, r io.Reader) error {
	part, release, err := leased(ctx, uploadPart, partSize)
	if err != nil {
		return err
	}
	defer release()
	options := minio.PutObjectOptions{ContentType: contentType, DisableContentSha256: true, PartSize: uint64(part), NumThreads: 1} //nolint:gosec // it is not negative
	var first bytes.Buffer
	size, err := io.CopyN(&first, r, uploadWhole)
	switch {
	case errors.Is(err, io.EOF): // a single part
		r = bytes.NewReader(first.Bytes())
	case err != nil:
		return err
	default:
		r, size = io.MultiReader(&first, r), -1
	}
	_, err = b.core.Client.PutObject(ctx, b.name, b.prefix+name, r, size, options)
	return err
}

// Download reads an object with a given name, and returns its length. If it does not exist, the error is ErrNotFound;
// other errors of the store are returned unchanged.
func (b *Bucket) Download(ctx context.Context, name string) (body io.ReadCloser, length int64, err error) {
	body, info, _, err := b.core.GetObject(ctx, b.name, b.prefix+name, minio.GetObjectOptions{})
	if answer, ok := AnswerOf(err); ok && answer.Code == minio.NoSuchKey {
		err = ErrNotFound
	}
	return body, info.Size, err
}

// Delete removes an object with a given name. It is not an error if there is none. Errors of the store are returned
// unchanged.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	return b.core.RemoveObject(ctx, b.name, b.prefix+name, minio.RemoveObjectOptions{})
}

// source is a file, or bytes in memory.
type source interface {
	io.ReadSeeker
	io.ReaderAt
}

// mustHave returns an error unless a source has exactly size bytes left.
func mustHave(s source, size int64) error {
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if end-at != size {
		return fmt.Errorf("%w: there are %d", ErrLength, end-at)
	}
	_, err = s.Seek(at, io.SeekStart)
	return err
}

// hold takes the memory for one part of an upload from the lease of its request, and reports whether it succeeded.
func (b *Bucket) hold(ctx context.Context, size int64) (release func(), ok bool) {
	if size > partSize && s3utils.IsGoogleEndpoint(*b.core.EndpointURL()) {
		return func() {}, false // the library sends it in one piece
	}
	select {
	case b.held <- struct{}{}:
	default:
		return func() {}, false
	}
	lease, bytes := memory.Of(ctx), min(size, partSize)
	if lease.Grow(ctx, bytes) != nil {
		<-b.held
		return func() {}, false
	}
	return func() {
		lease.Shrink(bytes)
		<-b.held
	}, true
}

// Remove removes a blob from the bucket.
func (b *Bucket) Remove(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	err := b.core.RemoveObject(ctx, b.name, b.object(key), minio.RemoveObjectOptions{})
	if err = b.explain("remove", key, err); errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// Open requests the blob, so that a missing one is noticed immediately.
func (b *Bucket) Open(ctx context.Context, key string, size int64) (io.ReadSeekCloser, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	remote := &remoteReader{ctx: ctx, bucket: b, key: key, size: size}
	if size > 0 {
		if err := remote.ask(); err != nil {
			return nil, err
		}
	}
	return remote, nil
}

// Answer is the error response of a store.
type Answer struct {
	Status        int
	Code, Message string
}

// AnswerOf returns the response of the store if an error comes from it.
func AnswerOf(err error) (Answer, bool) {
	if a, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return Answer{Status: a.StatusCode, Code: a.ErrorCode}, true
	}
	a, ok := errors.AsType[minio.ErrorResponse](err)
	return Answer{a.StatusCode, a.Code, a.Message}, ok
}

// explain adds advice to an error of the store.
func (b *Bucket) explain(what, key string, err error) error {
	var answer minio.ErrorResponse
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errNoKeys):
		return fmt.Errorf("cannot use the media bucket %s at %s: %w", b.name, b.where, err)
	case !errors.As(err, &answer):
		return fmt.Errorf("cannot reach the media bucket %s at %s: %w: %w", b.name, b.where, ErrUnavailable, err)
	// A missing bucket does not mean that its blobs were removed.
	case answer.StatusCode == http.StatusNotFound && answer.Code != minio.NoSuchBucket:
		return fmt.Errorf("%s: %w", key, ErrNotFound)
	}
	hint := ""
	switch answer.Code {
	case minio.NoSuchBucket:
		hint = ": create it, or correct --blob"
	case minio.AccessDenied, "AllAccessDisabled":
		hint = ": its keys need permission to get, put and delete objects"
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken":
		hint = ": check the keys of the bucket"
	case "RequestTimeTooSkewed":
		hint = ": set the clock of this machine"
	case "PermanentRedirect", "AuthorizationHeaderMalformed", "InvalidRegion", "IllegalLocationConstraintException":
		hint = ": set its region in --blob, as in s3://BUCKET?region=REGION"
		if answer.Region != "" {
			hint = ": it is in another region, add region=" + answer.Region + " to --blob"
		}
	}
	err = fmt.Errorf("cannot %s %s in the media bucket %s at %s%s (it responded %d %s: %s)",
		what, key, b.name, b.where, hint, answer.StatusCode, answer.Code, answer.Message)
	if answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}
