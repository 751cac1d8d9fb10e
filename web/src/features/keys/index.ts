export { recallKeys, rememberKeys, type KeyPair } from './keyMemory'
