export { PlaygroundPage } from './PlaygroundPage'
