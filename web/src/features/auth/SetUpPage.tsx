import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useForm } from '@/shared/forms'
import { rememberKeys } from '@/features/keys'
import { useSession } from '@/shared/currentUser'
import { emailProblem } from '@/shared/lib/email'
import { linkClass, PasswordField, TextField } from '@/shared/ui'
import { useSetUp } from './api/useSetUp'
import { AuthForm } from './AuthForm'
import { AuthLayout } from './AuthLayout'
import { nameProblem, passwordProblem, shortestPassword } from './model/checks'

const route = getRouteApi('/setup')

/** Creates the first owner with the token that the server printed, then opens the project. */
export function SetUpPage() {
  const { token } = route.useSearch()
  const session = useSession()
  if (!session.setupNeeded) {
    return (
      <AuthLayout title="Already set up">
        <p className="text-text-2">
          This server already has an owner. The setup link works only once.
        </p>
        <Link to="/" className={linkClass}>
          {session.user ? 'Go to your projects' : 'Sign in'}
        </Link>
      </AuthLayout>
    )
  }
  if (!token) {
    return (
      <AuthLayout title="A token is missing">
        <p className="text-text-2">
          Open the whole address that the server printed when it started, with everything after the
          question mark.
        </p>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Set up Almanac"
      description="You will be the first owner. Everything stays on this server."
    >
      <SetUpForm token={token} />
    </AuthLayout>
  )
}

function SetUpForm({ token }: { token: string }) {
  const setUp = useSetUp()
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    check: ({ name, email, password }) => ({
      name: nameProblem(name),
      email: emailProblem(email),
      password: passwordProblem(password),
    }),
    error: setUp.error,
  })
  const create = ({ name, email, password }: typeof form.values) =>
    setUp.mutate(
      { token, name: name.trim(), email: email.trim(), password },
      {
        onSuccess: (first) => {
          if (first.projectId !== null && first.keys) rememberKeys(first.projectId, first.keys)
          void navigate({
            ...(first.projectId === null
              ? { to: '/' }
              : { to: '/project/$projectId', params: { projectId: first.projectId } }),
            replace: true,
          })
        },
      },
    )
  return (
    <AuthForm
      action="Create the owner"
      isPending={setUp.isPending}
      error={form.error}
      onSubmit={() => form.submit(create)}
    >
      <TextField {...form.field('name')} label="Your name" autoComplete="name" autoFocus />
      <TextField {...form.field('email')} label="Email" type="email" autoComplete="username" />
      <PasswordField
        {...form.field('password')}
        label="Password"
        autoComplete="new-password"
        description={`At least ${shortestPassword} characters`}
      />
    </AuthForm>
  )
}
