/** The `styles` of a field for text that programs read. */
export const monospaced = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }
