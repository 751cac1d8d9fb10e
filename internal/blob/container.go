package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"

	"almanac/internal/netguard"
)

// Container is a container of Azure Blob Storage, for objects with given names.
type Container struct {
	client *azblob.Client
	http   *netguard.Client
	name   string
}

// ContainerOptions configure the location of a container and access to it.
type ContainerOptions struct {
	Name         string // of the container
	Account, Key string
	// Endpoint is the URL of the account; empty for Azure's default.
	Endpoint string
	// Client connects to the storage: that of a guard, or TrustedClient.
	Client *netguard.Client
	// RetryDelay is the delay before the first retry of a request, which doubles each time; 0 for a default.
	RetryDelay time.Duration
}

// OpenContainer returns the container. It does not connect to it.
func OpenContainer(o ContainerOptions) (*Container, error) {
	// The account becomes part of the host name.
	if err := cmp.Or(netguard.CheckAccount(o.Account), netguard.CheckContainer(o.Name)); err != nil {
		return nil, err
	}
	if o.Endpoint != "" {
		if err := netguard.CheckStorageEndpoint(o.Endpoint); err != nil {
			return nil, fmt.Errorf("the endpoint of the storage cannot be used: %w", err)
		}
	}
	credential, err := azblob.NewSharedKeyCredential(o.Account, o.Key)
	if err != nil {
		return nil, errors.New("the account key is not one of Azure, which are base64")
	}
	address := cmp.Or(o.Endpoint, "https://"+o.Account+".blob.core.windows.net/")
	c := &Container{name: o.Name, http: o.Client}
	client := o.Client.Wrapped(func(t http.RoundTripper) http.RoundTripper { return bodyGuard{t} })
	retry := policy.RetryOptions{
		MaxRetries: attempts - 1, RetryDelay: cmp.Or(o.RetryDelay, 250*time.Millisecond), MaxRetryDelay: 5 * time.Second,
	}
	c.client, err = azblob.NewClientWithSharedKeyCredential(address, credential, &azblob.ClientOptions{ClientOptions: azcore.ClientOptions{
		Transport: client.HTTP(), Retry: retry,
	}})
	if err != nil {
		return nil, fmt.Errorf("the address of the storage cannot be used: %w", err)
	}
	return c, nil
}

// containerBlock is how many bytes of an upload are buffered, unless there is little memory. Azure allows 50,000 blocks
// per object.
const containerBlock = 8 << 20

// Upload writes an object, replacing any existing one with the same name. An upload larger than a block is sent in
// several blocks, which become an object once all are there: an error of the reader leaves the existing object
// unchanged. Errors of the storage are returned unchanged.
func (c *Container) Upload(ctx context.Context, name, contentType string, r io.Reader) error {
	block, release, err := leased(ctx, containerBlock, 1<<20)
	if err != nil {
		return err
	}
	defer release()
	_, err = c.client.UploadStream(ctx, c.name, name, r, &azblob.UploadStreamOptions{
		BlockSize: block, Concurrency: 1, HTTPHeaders: &blob.HTTPHeaders{BlobContentType: &contentType},
	})
	return err
}

// Download reads an object, and returns its length. If it does not exist, the error is ErrNotFound; other errors of the
// storage are returned unchanged.
func (c *Container) Download(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	answer, err := c.client.DownloadStream(ctx, c.name, name, nil)
	if bloberror.HasCode(err, bloberror.BlobNotFound) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, err
	}
	length := int64(-1)
	if answer.ContentLength != nil {
		length = *answer.ContentLength
	}
	return answer.Body, length, nil
}

// Delete removes an object. It is not an error if there is none. Other errors of the storage are returned unchanged.
func (c *Container) Delete(ctx context.Context, name string) error {
	_, err := c.client.DeleteBlob(ctx, c.name, name, nil)
	if bloberror.HasCode(err, bloberror.BlobNotFound) {
		return nil
	}
	return err
}

// Close closes idle connections.
func (c *Container) Close() { c.http.CloseIdleConnections() }
