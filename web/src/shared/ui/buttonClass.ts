export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

const variants: Record<ButtonVariant, string> = {
  primary:
    'bg-accent text-on-accent border-accent hover:bg-accent-strong data-pressed:bg-accent-strong font-medium',
  secondary:
    'bg-surface-0 text-text-1 border-control/60 hover:bg-surface-2 data-pressed:bg-surface-3',
  ghost:
    'bg-transparent text-text-2 border-transparent hover:bg-surface-2 hover:text-text-1 data-pressed:bg-surface-3',
  danger: 'bg-danger text-on-danger border-danger hover:opacity-90 font-medium',
}
const sizes: Record<ButtonSize, string> = {
  sm: 'h-6 px-2 text-sm gap-1',
  md: 'h-8 px-3 text-base gap-1.5',
  lg: 'h-9 px-4 text-base gap-2',
}

/** The style of a button, also for links that look like one. */
export function buttonClass(variant: ButtonVariant, size: ButtonSize): string {
  return `inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-md border select-none
    transition-colors duration-100 disabled:opacity-50 data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0
    ${variants[variant]} ${sizes[size]}`
}
