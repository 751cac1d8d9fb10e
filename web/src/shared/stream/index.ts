export { streamEvents, type StreamEvent } from './model/streamEvents'
export { StreamedAnswer } from './StreamedAnswer'
export { useStream, type StreamStatus } from './useStream'
