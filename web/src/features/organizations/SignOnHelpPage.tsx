import { Link } from '@tanstack/react-router'
import { useOrganization, useSession } from '@/shared/currentUser'
import { basePath } from '@/shared/lib/url'
import { Badge, CodeBlock, linkClass, PageHeader, Secret, Section } from '@/shared/ui'
import { providerExample } from './model/providerExample'

/** How people sign in through an identity provider, and how the provider manages members. */
export function SignOnHelpPage() {
  const { organization } = useOrganization()
  const { providers, passwordSignIn } = useSession()
  const address = location.origin + basePath
  return (
    <>
      <PageHeader
        title="SSO and SCIM"
        description="Single sign-on is configured on the server, by its operator; SCIM with a key of this organization."
      />
      <Section
        title="Single sign-on"
        description="OpenID Connect: Google, Entra, Okta, Keycloak, or GitHub through Dex."
      >
        <p className="flex flex-wrap items-center gap-2">
          {providers.length === 0 ? (
            <span>No provider is configured on this server.</span>
          ) : (
            <>
              Configured on this server:
              {providers.map((provider) => (
                <Badge key={provider.id}>{provider.name}</Badge>
              ))}
            </>
          )}
          <span>
            {passwordSignIn ? 'Password sign-in is enabled.' : 'Password sign-in is disabled.'}
          </span>
        </p>
        <ol className="flex max-w-prose list-decimal flex-col gap-1 pl-5 text-text-2">
          <li>Register a web application with the provider, using this redirect URL:</li>
        </ol>
        <div className="max-w-2xl">
          <Secret
            label="Redirect URL, with your provider's id"
            value={`${address}/api/ui/auth/oidc/PROVIDER_ID/callback`}
          />
        </div>
        <ol start={2} className="flex max-w-prose list-decimal flex-col gap-1 pl-5 text-text-2">
          <li>
            Describe the provider in a file that the server reads at startup. Groups are mapped to
            roles at every sign-in; this example maps them in {organization.name}.
          </li>
        </ol>
        <div className="max-w-2xl">
          <CodeBlock label="providers" code={providerExample(organization.id)} />
        </div>
        <p className="text-text-3">docs/sign-in.md has recipes for the providers.</p>
      </Section>
      <Section
        title="SCIM"
        description="An identity provider creates, changes and deactivates members automatically."
      >
        <div className="flex max-w-2xl flex-col gap-3">
          <Secret label="SCIM URL" value={`${address}/api/public/scim`} />
          <ul className="flex list-disc flex-col gap-1 pl-5 text-text-2">
            <li>
              Basic authentication: the public key of{' '}
              <Link
                to="/organization/$organizationId/settings/api-keys"
                params={{ organizationId: organization.id }}
                className={linkClass}
              >
                a key of the organization
              </Link>{' '}
              is the user name, its secret key the password.
            </li>
            <li>User names are email addresses.</li>
            <li>
              <code className="font-mono text-sm">roles</code> is a list whose first value is the
              role here: <code className="font-mono text-sm">["MEMBER"]</code>. Without it, new
              members have no role.
            </li>
            <li>Members who are deactivated there lose access here immediately.</li>
          </ul>
        </div>
      </Section>
    </>
  )
}
