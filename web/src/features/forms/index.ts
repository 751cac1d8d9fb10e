export { useForm, type Problems } from './useForm'
