package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"almanac/internal/netguard"
)

// BedrockHostCredentials in place of a secret stands for the credentials of the machine that runs the server. They are not
// used: whoever manages a project would act as that machine.
const BedrockHostCredentials = "__BEDROCK_DEFAULT_CREDENTIALS__" //nolint:gosec // no credential: it stands for those of the host

// hostCredentials is why the credentials of the server's machine are not used.
const hostCredentials = "Connections that use the credentials of the server's machine cannot be used: whoever manages a project would " +
	"act as that machine."

// bedrockARN is the form of names of resources, such as inference profiles, that stand for a model. They have slashes.
var bedrockARN = regexp.MustCompile(`^arn:aws[a-z-]*:bedrock:[a-z0-9-]*:[0-9]*:[a-z-]+(/[A-Za-z0-9][A-Za-z0-9._:-]*){1,2}$`)

// bedrock is Amazon Bedrock. It has one operation for the models of all makers.
func bedrock(conn Connection, req Request) (*service, error) {
	if conn.Secret == BedrockHostCredentials {
		return nil, misconfigured(hostCredentials)
	}
	var secret struct {
		AccessKeyID     string `json:"accessKeyId"`
		SecretAccessKey string `json:"secretAccessKey"`
		APIKey          string `json:"apiKey"`
	}
	var settings struct {
		Region string `json:"region"`
	}
	if json.Unmarshal([]byte(conn.Secret), &secret) != nil || json.Unmarshal(conn.Config, &settings) != nil {
		return nil, misconfigured("The secretKey or the config of the connection cannot be read. Store it again.")
	}
	if !netguard.IsCloudRegion(settings.Region) {
		return nil, misconfigured("The region of the connection is none. It is like us-east-1.")
	}
	host := "https://bedrock-runtime." + settings.Region + ".amazonaws.com"
	if strings.HasPrefix(settings.Region, "cn-") {
		host += ".cn"
	}
	name := url.PathEscape(req.Model)
	if !bedrockARN.MatchString(req.Model) {
		var err error
		if name, err = pathSegment(req.Model); err != nil {
			return nil, err
		}
	}
	// Colons are escaped, as in the signature.
	path := "/model/" + strings.ReplaceAll(name, ":", "%3A")
	s := claudeService(&service{
		name: "Amazon Bedrock", frames: true, noImageURLs: true,
		dialect: func(out *collector) dialect { return &converse{out: out} },
		address: func(stream bool) (string, error) {
			if stream {
				return under(conn.base(host), path+"/converse-stream"), nil
			}
			return under(conn.base(host), path+"/converse"), nil
		},
	}, req, true)
	if !strings.Contains(req.Model, "claude") {
		s.family = family{}
	}
	s.family.maxTokens = 0
	if s.family.noTemperature {
		s.family.refused = []string{"inferenceConfig.temperature", "inferenceConfig.topP", "additionalModelRequestFields.top_k"}
		s.rungs = s.rungs[1:]
	}
	if secret.APIKey != "" {
		s.headers = map[string]string{"Authorization": "Bearer " + secret.APIKey}
		return s, nil
	}
	s.authorize = func(ctx context.Context, _ *Client, r *http.Request, body []byte) ([]string, error) {
		sum := sha256.Sum256(body)
		credentials := aws.Credentials{AccessKeyID: secret.AccessKeyID, SecretAccessKey: secret.SecretAccessKey}
		err := v4.NewSigner().SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), "bedrock", settings.Region, time.Now())
		if err != nil {
			return nil, misconfigured("The request cannot be signed with the secretKey of the connection.")
		}
		return nil, nil
	}
	return s, nil
}
