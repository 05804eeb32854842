import { showDone } from './notices.ts'

/** Copies and says so, also where the page is not served by TLS and the browser has no clipboard for it. */
export async function copyText(text: string, message: string): Promise<void> {
  if (navigator.clipboard) await navigator.clipboard.writeText(text)
  else copyBySelection(text)
  showDone(message)
}

function copyBySelection(text: string): void {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('The browser does not let this page copy.')
}
