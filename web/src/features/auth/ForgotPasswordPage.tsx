import { Link } from '@tanstack/react-router'
import { useForm } from '@/shared/forms'
import { useSession } from '@/shared/currentUser'
import { emailProblem } from '@/shared/lib/email'
import { linkClass, TextField } from '@/shared/ui'
import { useForgotPassword } from './api/usePasswordReset'
import { AuthForm } from './AuthForm'
import { AuthLayout } from './AuthLayout'

const title = 'Forgot your password?'

/** Requests a password reset link. The page does not reveal whether the account exists. */
export function ForgotPasswordPage() {
  const { mail } = useSession()
  const forgot = useForgotPassword()
  if (!mail) {
    return (
      <AuthLayout title={title}>
        <p className="text-text-2">
          This server sends no email. <OtherWays />
        </p>
        <Back />
      </AuthLayout>
    )
  }
  if (forgot.isSuccess) {
    return (
      <AuthLayout title="Check your email">
        <p className="text-text-2">
          If there is an account with this address, we have sent it a password reset link. It works
          once and expires in an hour.
        </p>
        <p className="text-text-2">
          No email? Check your spam folder, or try again later: the number of emails is limited.{' '}
          <OtherWays />
        </p>
        <Back />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={title} description="We will email you a link to set a new one.">
      <EmailForm forgot={forgot} />
      <Back />
    </AuthLayout>
  )
}

function EmailForm({ forgot }: { forgot: ReturnType<typeof useForgotPassword> }) {
  const form = useForm({
    initial: { email: '' },
    check: ({ email }) => ({ email: emailProblem(email) }),
    error: forgot.error,
  })
  return (
    <AuthForm
      action="Send the link"
      isPending={forgot.isPending}
      error={form.error}
      onSubmit={() => form.submit(({ email }) => forgot.mutate({ email: email.trim() }))}
    >
      <TextField
        {...form.field('email')}
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
      />
    </AuthForm>
  )
}

function OtherWays() {
  return (
    <>
      An owner of your organization can create a password reset link, and the server’s administrator
      can set a password with{' '}
      <code className="rounded-sm bg-surface-2 px-1 font-mono text-sm">
        almanac users set-password
      </code>
      .
    </>
  )
}

function Back() {
  return (
    <Link to="/auth/sign-in" className={linkClass}>
      Back to sign-in
    </Link>
  )
}
