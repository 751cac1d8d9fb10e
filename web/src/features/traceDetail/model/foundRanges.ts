import { asciiLower } from '@/shared/io'

const mostNodes = 5000
const mostRanges = 1000

/** Where a text occurs in the content of an element; ASCII letters match in both cases. */
export function foundRanges(root: HTMLElement, text: string): Range[] {
  const wanted = asciiLower(text.trim())
  const ranges: Range[] = []
  if (wanted === '') return ranges
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let nodes = 0; nodes < mostNodes && walker.nextNode(); nodes++) {
    const node = walker.currentNode
    const content = asciiLower(node.nodeValue ?? '')
    for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at)) {
      if (ranges.length === mostRanges) return ranges
      const range = document.createRange()
      range.setStart(node, at)
      at += wanted.length
      range.setEnd(node, at)
      ranges.push(range)
    }
  }
  return ranges
}

/** The first of these that is inside a value, rather than in a name or a heading. */
export function firstInValue(ranges: readonly Range[]): Range | undefined {
  return ranges.find(({ startContainer }) => startContainer.parentElement?.closest('[data-value]'))
}

/** Scrolls everything around a range so that the range is in the middle. */
export function scrollToRange(range: Range): void {
  let box = range.startContainer.parentElement
  while (box) {
    if (
      box.scrollHeight > box.clientHeight &&
      /auto|scroll/u.test(getComputedStyle(box).overflowY)
    ) {
      const place = range.getBoundingClientRect().top - box.getBoundingClientRect().top
      if (place < 0 || place > box.clientHeight - 20) box.scrollTop += place - box.clientHeight / 2
    }
    box = box.parentElement
  }
}
