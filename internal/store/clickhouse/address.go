package clickhouse

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Address is where ClickHouse is and how to use it.
type Address struct {
	URL      string // of the HTTP interface, without credentials
	User     string
	password string
	Database string
	// Cluster, if set, is the name of the cluster on which tables are created.
	Cluster string
	// Quorum is the number of replicas that must have an insert before it is acknowledged, or "auto" for a majority.
	Quorum string
}

// The default ports.
const (
	portHTTP   = "8123"
	portHTTPS  = "8443"
	portNative = "9000"
	// portNativeTLS is the native protocol over TLS.
	portNativeTLS = "9440"
)

// names matches the allowed names of databases and clusters: those that need no quoting.
var names = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,62}$`)

// ParseAddress parses clickhouse://user:password@host:8123/database?cluster=name. The scheme clickhouses, or secure=1,
// means TLS. Errors do not contain the password.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil {
		// The parser's error contains the address, and with it the password.
		return Address{}, errors.New("the address of ClickHouse is not a URL such as clickhouse://user:password@host:8123/database")
	}
	a := Address{User: u.User.Username(), Database: strings.TrimPrefix(u.Path, "/")}
	a.password, _ = u.User.Password()
	a.Database = cmp.Or(a.Database, "almanac")
	secure := u.Scheme == "clickhouses"
	if u.Scheme != "clickhouse" && !secure {
		return Address{}, fmt.Errorf("the address of ClickHouse starts with %q instead of clickhouse:// or clickhouses://", u.Scheme)
	}
	for name, values := range u.Query() {
		value := values[len(values)-1]
		switch name {
		case "cluster":
			a.Cluster = value
		case "quorum":
			a.Quorum = value
		case "secure":
			if secure, err = strconv.ParseBool(value); err != nil {
				return Address{}, fmt.Errorf("secure=%s in the address of ClickHouse is neither 1 nor 0", value)
			}
		default:
			return Address{},
				fmt.Errorf("the address of ClickHouse has the unknown parameter %q; the known ones are cluster, quorum and secure", name)
		}
	}
	if err := a.checkNames(); err != nil {
		return Address{}, err
	}
	host, port := u.Hostname(), u.Port()
	switch {
	case host == "":
		return Address{}, errors.New("the address of ClickHouse has no host")
	case port == portNative || port == portNativeTLS:
		return Address{}, fmt.Errorf("port %s of ClickHouse speaks the native protocol; use the HTTP port, usually %s, or %s with TLS",
			port, portHTTP, portHTTPS)
	case port == "" && secure:
		port = portHTTPS
	case port == "":
		port = portHTTP
	}
	a.URL = "http://"
	if secure {
		a.URL = "https://"
	}
	a.URL += net.JoinHostPort(host, port) + "/"
	return a, nil
}

func (a *Address) checkNames() error {
	if !names.MatchString(a.Database) {
		return fmt.Errorf("the name of the ClickHouse database %q must consist of letters, digits and underscores", a.Database)
	}
	if a.Cluster != "" && !names.MatchString(a.Cluster) {
		return fmt.Errorf("the name of the ClickHouse cluster %q must consist of letters, digits and underscores", a.Cluster)
	}
	if n, err := strconv.Atoi(a.Quorum); a.Quorum != "" && a.Quorum != "auto" && (err != nil || n < 1 || n > 100) {
		return fmt.Errorf("quorum=%s in the address of ClickHouse is neither auto nor a number of replicas", a.Quorum)
	}
	return nil
}

// String returns the address without its password.
func (a Address) String() string { return a.URL + a.Database }
