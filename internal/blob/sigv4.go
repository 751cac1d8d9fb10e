package blob

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// credentials sign requests to S3 and whatever speaks its protocol, with version 4 of its signatures.
type credentials struct {
	accessKey, secretKey, sessionToken string
	region, service                    string
}

const (
	amzDate = "20060102T150405Z"
	amzDay  = "20060102"
	// emptyPayload is the hash of nothing, which requests without a body are signed with.
	emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
)

// sign adds the headers that prove who sends a request. The hash of the body is in hexadecimal digits. All headers that the
// request has are signed.
func (c credentials) sign(r *http.Request, payloadHash string, now time.Time) {
	at := now.UTC()
	r.Header.Set("X-Amz-Date", at.Format(amzDate))
	if c.service == "s3" {
		r.Header.Set("X-Amz-Content-Sha256", payloadHash)
	}
	if c.sessionToken != "" {
		r.Header.Set("X-Amz-Security-Token", c.sessionToken)
	}
	names, canonical := canonicalHeaders(r)
	request := strings.Join([]string{
		r.Method, canonicalPath(r.URL), canonicalQuery(r.URL.Query()), canonical, names, payloadHash,
	}, "\n")
	scope := strings.Join([]string{at.Format(amzDay), c.region, c.service, "aws4_request"}, "/")
	hash := sha256.Sum256([]byte(request))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", at.Format(amzDate), scope, hex.EncodeToString(hash[:])}, "\n")
	key := []byte("AWS4" + c.secretKey)
	for part := range strings.SplitSeq(scope, "/") {
		key = mac(key, part)
	}
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+c.accessKey+"/"+scope+", SignedHeaders="+names+
		", Signature="+hex.EncodeToString(mac(key, text)))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// canonicalHeaders returns the names of the headers, and the headers themselves as they are signed.
func canonicalHeaders(r *http.Request) (names, canonical string) {
	host := r.Host
	if host == "" {
		host = r.URL.Host
	}
	values := map[string]string{"host": host}
	list := []string{"host"}
	for name, all := range r.Header {
		lower := strings.ToLower(name)
		if lower == "authorization" {
			continue
		}
		trimmed := make([]string, len(all))
		for n, value := range all {
			trimmed[n] = strings.Join(strings.Fields(value), " ")
		}
		values[lower] = strings.Join(trimmed, ",")
		list = append(list, lower)
	}
	slices.Sort(list)
	var b strings.Builder
	for _, name := range list {
		b.WriteString(name + ":" + values[name] + "\n")
	}
	return strings.Join(list, ";"), b.String()
}

func canonicalPath(u *url.URL) string {
	if u.Path == "" {
		return "/"
	}
	segments := strings.Split(u.Path, "/")
	for n, segment := range segments {
		segments[n] = escape(segment)
	}
	return strings.Join(segments, "/")
}

func canonicalQuery(query url.Values) string {
	var pairs []string
	for name, values := range query {
		for _, value := range values {
			pairs = append(pairs, escape(name)+"="+escape(value))
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

// escape writes a text with nothing but unreserved characters in it.
func escape(text string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}
