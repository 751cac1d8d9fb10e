package netguard

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// Names that become parts of a URL or of a host name are checked by their form, so that they cannot lead elsewhere.
var (
	accountName   = regexp.MustCompile(`^[a-z0-9]{3,24}$`)
	containerName = regexp.MustCompile(`^[a-z0-9](-?[a-z0-9])*$`)
	bucketName    = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)
	storageRegion = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)
	cloudRegion   = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
)

// CheckAccount refuses anything but the name of an Azure storage account.
func CheckAccount(name string) error {
	if !accountName.MatchString(name) {
		return errors.New("the name of a storage account of Azure has 3 to 24 lower-case letters and digits")
	}
	return nil
}

// CheckContainer refuses anything but the name of an Azure container.
func CheckContainer(name string) error {
	if len(name) > 63 || !containerName.MatchString(name) {
		return errors.New("the name of a container has up to 63 lower-case letters, digits and single hyphens")
	}
	return nil
}

// CheckBucket refuses anything but the name of an S3 bucket.
func CheckBucket(name string) error {
	if !bucketName.MatchString(name) || strings.Contains(name, "..") {
		return errors.New("the name of a bucket has up to 63 letters, digits, hyphens, underscores and single dots")
	}
	return nil
}

// CheckStorageRegion refuses anything but the region of a storage. Storages other than Amazon's have their own names.
func CheckStorageRegion(name string) error {
	if name != "" && !storageRegion.MatchString(name) {
		return errors.New("the region is not the name of one, such as eu-central-1")
	}
	return nil
}

// IsCloudRegion reports whether a text has the form of a region or location of a cloud provider.
func IsCloudRegion(name string) bool { return cloudRegion.MatchString(name) }

// CheckStorageEndpoint refuses anything but the URL of a storage, whoever configured it.
func CheckStorageEndpoint(text string) error {
	if err := (Guard{Private: true}).CheckURL(text); err != nil {
		return err
	}
	if u, err := url.Parse(text); err != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return errors.New("the URL of a storage has no query and no fragment")
	}
	return nil
}

// IsLoopback reports whether a host is localhost or a loopback address.
func IsLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
