package settings

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/jwt"

	"almanac/internal/access/redact"
	"almanac/internal/netguard"
)

// Calls to models of cloud providers, where the secret is not sent but signs the request or a request for a token.

// bedrockCall returns the request to a model of Amazon Bedrock. It uses the Converse operation, which is the same for
// all models.
func bedrockCall(in connectionInput, model string) (modelCall, error) {
	if in.secret == bedrockHostCredentials {
		return modelCall{},
			errors.New("connections that use the credentials of the server's machine cannot be tested: whoever manages a project would " +
				"act as that machine")
	}
	var secret bedrockSecret
	var config struct {
		Region string `json:"region"`
	}
	if json.Unmarshal([]byte(in.secret), &secret) != nil || json.Unmarshal(in.connection.Config, &config) != nil {
		return modelCall{}, errors.New("the secretKey or the config of the connection cannot be read: store it again")
	}
	if !netguard.IsCloudRegion(config.Region) {
		return modelCall{}, errors.New("the region of the connection is none: it is like us-east-1")
	}
	host := "https://bedrock-runtime." + config.Region + ".amazonaws.com"
	if strings.HasPrefix(config.Region, "cn-") {
		host += ".cn"
	}
	type text struct {
		Text string `json:"text"`
	}
	type message struct {
		Role    string `json:"role"`
		Content []text `json:"content"`
	}
	call := modelCall{
		// Colons are escaped, as in the signature.
		address: in.base(host) + "/model/" + strings.ReplaceAll(url.PathEscape(model), ":", "%3A") + "/converse",
		body:    map[string]any{"messages": []message{{"user", []text{{callPrompt}}}}},
		secrets: []string{secret.SecretAccessKey, secret.APIKey},
	}
	if secret.APIKey != "" {
		call.headers = map[string]string{"Authorization": "Bearer " + secret.APIKey}
		return call, nil
	}
	call.sign = func(ctx context.Context, _ *netguard.Client, r *http.Request, body []byte) error {
		sum := sha256.Sum256(body)
		credentials := aws.Credentials{AccessKeyID: secret.AccessKeyID, SecretAccessKey: secret.SecretAccessKey}
		return v4.NewSigner().SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), "bedrock", config.Region, time.Now())
	}
	return call, nil
}

// vertexCall returns the request to a model of Google's Vertex AI, which fetches a token with a service account key.
func vertexCall(guard netguard.Guard, in connectionInput, model string) (modelCall, error) {
	var account struct {
		ProjectID    string `json:"project_id"`
		ClientEmail  string `json:"client_email"`
		PrivateKey   string `json:"private_key"`
		PrivateKeyID string `json:"private_key_id"`
		TokenURI     string `json:"token_uri"`
	}
	if json.Unmarshal([]byte(in.secret), &account) != nil || account.ProjectID == "" || account.ClientEmail == "" ||
		account.PrivateKey == "" {
		return modelCall{},
			errors.New("the secretKey of a google-vertex-ai connection is the JSON file with the key of a service account: project_id, " +
				"client_email and private_key are needed")
	}
	config := struct {
		Location string `json:"location"`
	}{"us-central1"}
	if len(in.connection.Config) > 0 && json.Unmarshal(in.connection.Config, &config) != nil || !netguard.IsCloudRegion(config.Location) {
		return modelCall{}, errors.New("the location of the connection is none: it is like us-central1, or global")
	}
	host := "https://" + config.Location + "-aiplatform.googleapis.com"
	if config.Location == "global" {
		host = "https://aiplatform.googleapis.com"
	}
	account.TokenURI = cmp.Or(account.TokenURI, "https://oauth2.googleapis.com/token")
	if err := guard.CheckURL(account.TokenURI); err != nil {
		return modelCall{}, fmt.Errorf("the token_uri of the service account cannot be used: %w", err)
	}
	secrets := redact.New(in.secret, account.PrivateKey, account.PrivateKeyID)
	source := jwt.Config{
		Email: account.ClientEmail, PrivateKey: []byte(account.PrivateKey), PrivateKeyID: account.PrivateKeyID, TokenURL: account.TokenURI,
		Scopes: []string{"https://www.googleapis.com/auth/cloud-platform"},
	}
	return modelCall{
		address: in.base(host) + "/v1/projects/" + url.PathEscape(account.ProjectID) + "/locations/" + config.Location +
			"/publishers/google/models/" + url.PathEscape(model) + ":generateContent",
		body:    generateContent(),
		secrets: []string{account.PrivateKey},
		sign: func(ctx context.Context, client *netguard.Client, r *http.Request, _ []byte) error {
			token, err := source.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, client.HTTP())).Token()
			if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
				return fmt.Errorf("the provider gives no token for the service account: %s: %s",
					secrets.Short(refused.Response.Status, maxCallStatus), secrets.Short(string(refused.Body), maxCallMessage))
			}
			if err != nil {
				return fmt.Errorf("there is no token for the service account: %w", netguard.WithoutAddress(err))
			}
			r.Header.Set("Authorization", "Bearer "+token.AccessToken)
			return nil
		},
	}, nil
}
