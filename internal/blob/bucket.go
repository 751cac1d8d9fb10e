package blob

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"almanac/internal/memory"
)

const (
	// partSize is how much of an upload is held, so that it can be sent again if the bucket fails. What is larger is sent in parts
	// of this size, the smallest that S3 takes, one after the other.
	partSize = 5 << 20
	// heldUploads is how many uploads hold a part at a time. Further ones are passed on as they come and cannot be sent again:
	// slow clients never take more memory than this.
	heldUploads = 4
	// attempts is how often a request is sent until it succeeds.
	attempts = 5
)

// Bucket keeps blobs in a bucket of S3, or of another store that speaks its protocol.
type Bucket struct {
	core      minio.Core
	transport *http.Transport
	name      string
	prefix    string // of the names of its objects; empty or with a slash at its end
	where     string // the address of the store, for messages
	held      chan struct{}
}

// BucketOptions say where a bucket is and who we are to it.
type BucketOptions struct {
	// Address is s3://bucket/prefix, with the parameters region, endpoint (an address such as http://minio:9000) and
	// path-style=false for endpoints that want the bucket in the name of the host.
	Address string
	// AccessKey and SecretKey are the keys. Without them they are looked for where AWS's own tools find them: in the shared
	// credentials file, or they are those of a web identity, a container or a machine.
	AccessKey, SecretKey, SessionToken string
	// Dial, if set, connects to the store.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// OpenBucket returns the bucket. It does not talk to it.
func OpenBucket(o BucketOptions) (*Bucket, error) {
	u, err := url.Parse(o.Address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil {
		return nil, errors.New("the address of a bucket is s3://bucket/prefix?region=…&endpoint=…")
	}
	if err := s3utils.CheckValidBucketName(u.Host); err != nil {
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
		lookup = minio.BucketLookupPath
		if query.Get("path-style") == "false" {
			lookup = minio.BucketLookupDNS
		}
	}
	region := cmp.Or(query.Get("region"), "us-east-1")
	keys, err := keysOf(o, region)
	if err != nil {
		return nil, err
	}
	b := &Bucket{
		name: u.Host, where: endpoint.Redacted(), held: make(chan struct{}, heldUploads), transport: newTransport(o.Dial),
	}
	if path := strings.Trim(u.Path, "/"); path != "" {
		b.prefix = path + "/"
	}
	options := &minio.Options{
		Creds: keys, Secure: endpoint.Scheme == "https", Region: region, BucketLookup: lookup, MaxRetries: attempts, Transport: bodyGuard{b.transport},
	}
	if strings.Trim(endpoint.Path, "/") != "" {
		options.Transport = &belowPath{endpoint: endpoint, keys: keys, region: region, transport: bodyGuard{b.transport}}
	}
	client, err := minio.New(endpoint.Host, options)
	if err != nil {
		return nil, fmt.Errorf("the endpoint %q of the bucket cannot be used: %w", b.where, err)
	}
	client.SetS3EnableDualstack(false) // private networks have addresses for the plain name
	b.core = minio.Core{Client: client}
	return b, nil
}

// Close closes connections that nobody uses.
func (b *Bucket) Close() { b.transport.CloseIdleConnections() }

// object returns the name of the object of a key.
func (b *Bucket) object(key string) string { return b.prefix + Place(key) }

// Put sends a blob to the bucket. One that is not whole is not kept there, since its length was announced.
func (b *Bucket) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if err := checkKey(key); err != nil {
		return err
	}
	// TLS protects the body on its way, and whoever sent it checks it: it is not signed.
	options := minio.PutObjectOptions{DisableContentSha256: true, PartSize: partSize, NumThreads: 1}
	if source, ok := r.(source); ok { // which can be read again
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
		r, options.DisableMultipart = whole, !ok // the library holds parts, but not what is only one
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

// uploadPart is how much of an upload of unknown length is held. S3 takes 10,000 parts of one object.
const uploadPart = 16 << 20

// Upload writes an object under a name of its own, in the place of the one that has it. It is there when all of it is: an error of
// the reader leaves what was there before. Errors of the store are returned as they are.
func (b *Bucket) Upload(ctx context.Context, name, contentType string, r io.Reader) error {
	options := minio.PutObjectOptions{ContentType: contentType, DisableContentSha256: true, PartSize: uploadPart, NumThreads: 1}
	var first bytes.Buffer
	size, err := io.CopyN(&first, r, uploadPart)
	switch {
	case errors.Is(err, io.EOF): // it is not in parts
		r = bytes.NewReader(first.Bytes())
	case err != nil:
		return err
	default:
		r, size = io.MultiReader(&first, r), -1
	}
	_, err = b.core.Client.PutObject(ctx, b.name, b.prefix+name, r, size, options)
	return err
}

// Download reads an object by a name of its own, and says how long it is. One that is not there is ErrNotFound; other errors of the store
// are returned as they are.
func (b *Bucket) Download(ctx context.Context, name string) (body io.ReadCloser, length int64, err error) {
	body, info, _, err := b.core.GetObject(ctx, b.name, b.prefix+name, minio.GetObjectOptions{})
	if answer, ok := AnswerOf(err); ok && answer.Code == minio.NoSuchKey {
		err = ErrNotFound
	}
	return body, info.Size, err
}

// source is a file, or bytes in memory.
type source interface {
	io.ReadSeeker
	io.ReaderAt
}

// mustHave fails if a source has not exactly so many bytes from where it is.
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

// hold takes the memory for a part of an upload, from that of its request, and reports whether it has it.
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

// Open asks for the blob, so that one that is missing is noticed at once.
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

// Answer is what a store said when it refused something.
type Answer struct {
	Status        int
	Code, Message string
}

// AnswerOf returns what a store said, if it was the store that an error is from.
func AnswerOf(err error) (Answer, bool) {
	if a, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return Answer{Status: a.StatusCode, Code: a.ErrorCode}, true
	}
	a, ok := errors.AsType[minio.ErrorResponse](err)
	return Answer{a.StatusCode, a.Code, a.Message}, ok
}

// explain says what to do about an error of the store.
func (b *Bucket) explain(what, key string, err error) error {
	var answer minio.ErrorResponse
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errNoKeys):
		return fmt.Errorf("cannot use the bucket of media, %s at %s: %w", b.name, b.where, err)
	case !errors.As(err, &answer):
		return fmt.Errorf("cannot reach the bucket of media, %s at %s: %w", b.name, b.where, err)
	// A bucket that is missing is no reason to believe that its blobs were removed.
	case answer.StatusCode == http.StatusNotFound && answer.Code != minio.NoSuchBucket:
		return fmt.Errorf("%s: %w", key, ErrNotFound)
	}
	hint := ""
	switch answer.Code {
	case minio.NoSuchBucket:
		hint = ": create it, or correct --blob"
	case minio.AccessDenied, "AllAccessDisabled":
		hint = ": its keys need the permissions to get, put and delete objects"
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken":
		hint = ": check the keys of the bucket"
	case "RequestTimeTooSkewed":
		hint = ": set the clock of this machine"
	case "PermanentRedirect", "AuthorizationHeaderMalformed", "InvalidRegion", "IllegalLocationConstraintException":
		hint = ": say its region in --blob, as in s3://BUCKET?region=REGION"
		if answer.Region != "" {
			hint = ": it is in another region, add region=" + answer.Region + " to --blob"
		}
	}
	return fmt.Errorf("cannot %s %s in the bucket of media, %s at %s%s (it answered %d %s: %s)",
		what, key, b.name, b.where, hint, answer.StatusCode, answer.Code, answer.Message)
}
