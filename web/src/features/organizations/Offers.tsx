import { toastFailure } from '@/shared/errors'
import { useSession } from '@/shared/currentUser'
import { Badge, Button } from '@/shared/ui'
import { useAnswerOffer } from './api/useOffers'

/** How people can prove on this server that an address is theirs. */
function proof({ mail, signOn }: { mail: boolean; signOn: boolean }): string {
  if (mail && signOn) return 'sign out and choose “Forgot your password?”, or use single sign-on'
  if (mail) return 'sign out and choose “Forgot your password?”'
  if (signOn) return 'sign out and use single sign-on'
  return 'ask the operator of this server to confirm it (almanac users set-password)'
}

/** The memberships that organizations gave to the user, which have no effect until the user accepts them. */
export function Offers() {
  const { offers, mail, passwordSignIn, providers } = useSession()
  const answer = useAnswerOffer()
  return offers.map(({ organizationId, organizationName, role, needsProof }) => (
    <section
      key={organizationId}
      aria-label={`Membership of ${organizationName}`}
      className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-border px-4 py-3"
    >
      <div className="min-w-0">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{organizationName}</span>
          <Badge>{role.toLowerCase()}</Badge>
        </p>
        <p className="text-text-2">
          {needsProof
            ? `Wants you as a member. To accept, prove that your email address is yours: ${proof({ mail: mail && passwordSignIn, signOn: providers.length > 0 })}.`
            : 'Wants you as a member. Its administrators will see your name and your sign-ins.'}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <Button
          size="sm"
          isDisabled={answer.isPending}
          onPress={() =>
            answer.mutate(
              { organizationId, accept: false },
              { onError: toastFailure('The membership was not declined') },
            )
          }
        >
          Decline
        </Button>
        <Button
          size="sm"
          variant="primary"
          isDisabled={needsProof || answer.isPending}
          onPress={() =>
            answer.mutate(
              { organizationId, accept: true },
              { onError: toastFailure('The membership was not accepted') },
            )
          }
        >
          Accept
        </Button>
      </div>
    </section>
  ))
}
