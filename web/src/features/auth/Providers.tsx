import { useSession } from '@/shared/currentUser'
import { basePath } from '@/shared/lib/url'
import { buttonClass } from '@/shared/ui'

/**
 * A button for each identity provider, which returns people to the given path; then, if there is also a password form,
 * a divider between the two.
 */
export function Providers({ returnTo }: { returnTo: string }) {
  const { providers, passwordSignIn } = useSession()
  if (providers.length === 0) return null
  return (
    <>
      <div className="flex flex-col gap-2">
        {providers.map((provider) => (
          <a
            key={provider.id}
            href={`${basePath}/api/ui/auth/oidc/${encodeURIComponent(provider.id)}/start?returnTo=${encodeURIComponent(returnTo)}`}
            className={buttonClass('secondary', 'lg')}
          >
            Continue with {provider.name}
          </a>
        ))}
      </div>
      {passwordSignIn && (
        <p className="flex items-center gap-3 text-sm text-text-3 before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
          or
        </p>
      )}
    </>
  )
}
