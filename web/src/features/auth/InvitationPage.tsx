import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ApiError, messageOf } from '@/shared/api'
import { LoadError } from '@/shared/errors'
import { useForm } from '@/shared/forms'
import { roleDescription, roleLabel } from '@/shared/roles'
import { useSession, useSignOut } from '@/shared/currentUser'
import { Button, Callout, linkClass, PasswordField, Skeleton, TextField } from '@/shared/ui'
import { useAcceptInvitation, useInvitation } from './api/useInvitation'
import { AuthForm } from './AuthForm'
import { AuthLayout } from './AuthLayout'
import { nameProblem, passwordProblem, shortestPassword } from './model/checks'
import { Providers } from './Providers'

const route = getRouteApi('/invite/$token')

/** Accepts an invitation, with an existing account or a new one. */
export function InvitationPage() {
  const { token } = route.useParams()
  const session = useSession()
  const invitation = useInvitation(token)
  const accept = useAcceptInvitation(token)
  const signOut = useSignOut()
  const navigate = useNavigate()
  if (invitation.isPending) {
    return (
      <AuthLayout title="Invitation">
        <Skeleton className="h-20" />
      </AuthLayout>
    )
  }
  if (invitation.isError) {
    const isGone = invitation.error instanceof ApiError && invitation.error.status === 404
    return (
      <AuthLayout title="Invitation">
        {isGone ? (
          <p className="text-text-2">
            This invitation was used or revoked, or has expired. Ask the person who invited you for
            a new link.
          </p>
        ) : (
          <LoadError title="Couldn’t load the invitation" query={invitation} />
        )}
      </AuthLayout>
    )
  }
  const { email, organization, role, invitedBy, accountExists } = invitation.data
  const onSuccess = () =>
    void navigate({
      to: '/organization/$organizationId',
      params: { organizationId: organization.id },
      replace: true,
    })
  const isOwn = session.user?.email.toLowerCase() === email.toLowerCase()
  return (
    <AuthLayout
      title={`Join ${organization.name}`}
      description={
        <>
          {invitedBy === null ? 'You are invited' : `${invitedBy} invites you`}
          {role !== 'NONE' && ` as ${roleLabel(role)}`}, with the address{' '}
          <strong className="font-medium break-all text-text-1">{email}</strong>.{' '}
          {role === 'NONE'
            ? 'You will see the projects that you are given a role in.'
            : `What the role allows: ${roleDescription(role)}.`}
        </>
      }
    >
      {accountExists && accept.isError && (
        <Callout tone="danger">{messageOf(accept.error)}</Callout>
      )}
      {accountExists && isOwn && (
        <Button
          variant="primary"
          size="lg"
          isPending={accept.isPending}
          onPress={() => accept.mutate({}, { onSuccess })}
        >
          Join
        </Button>
      )}
      {accountExists && session.user && !isOwn && (
        <>
          <p className="text-text-2">
            You are signed in as <span className="break-all">{session.user.email}</span>. Sign out,
            then open the link again.
          </p>
          <Button size="lg" isPending={signOut.isPending} onPress={() => signOut.mutate()}>
            Sign out
          </Button>
        </>
      )}
      {accountExists && !session.user && (
        <p className="text-text-2">
          There is an account with this address.{' '}
          <Link
            to="/auth/sign-in"
            search={{ returnTo: `/invite/${encodeURIComponent(token)}` }}
            className={linkClass}
          >
            Sign in to it
          </Link>{' '}
          to join.
        </p>
      )}
      {!accountExists && (
        <>
          {session.user && (
            <p className="text-text-2">
              You are signed in as <span className="break-all">{session.user.email}</span>. This
              makes another account and signs you in with it instead.
            </p>
          )}
          {/* Who comes back from a provider has an account, and joins with it. */}
          <Providers returnTo={`/invite/${encodeURIComponent(token)}`} />
          {session.passwordSignIn && (
            <NewAccount
              isPending={accept.isPending}
              error={accept.error}
              onCreate={(values) => accept.mutate(values, { onSuccess })}
            />
          )}
        </>
      )}
    </AuthLayout>
  )
}

type NewAccountProps = {
  isPending: boolean
  error: unknown
  onCreate: (values: { name: string; password: string }) => void
}

function NewAccount({ isPending, error, onCreate }: NewAccountProps) {
  const form = useForm({
    initial: { name: '', password: '' },
    check: ({ name, password }) => ({
      name: nameProblem(name),
      password: passwordProblem(password),
    }),
    error,
  })
  return (
    <AuthForm
      action="Create account and join"
      isPending={isPending}
      error={form.error}
      onSubmit={() =>
        form.submit(({ name, password }) => onCreate({ name: name.trim(), password }))
      }
    >
      <TextField {...form.field('name')} label="Your name" autoComplete="name" autoFocus />
      <PasswordField
        {...form.field('password')}
        label="Password"
        autoComplete="new-password"
        description={`At least ${shortestPassword} characters`}
      />
    </AuthForm>
  )
}
