export { ConfirmChange } from './ConfirmChange'
export { useForm, type Problems } from './useForm'
