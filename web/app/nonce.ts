/** The nonce under which the page's policy allows style elements; the server writes a new one into each page. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''

// Where Mantine's dialogs, which hold the page still by a style element of their own, look for it.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
