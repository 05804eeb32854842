import { createTheme, DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core'

/** Leaf to forest. Shade 7 on white and white on shade 7 have a contrast above 4.5. */
const moss: MantineColorsTuple = [
  '#eef9f0',
  '#dcefe0',
  '#b7dfbf',
  '#8fce9c',
  '#6dc07e',
  '#57b76b',
  '#4bb260',
  '#2f7d42',
  '#256b37',
  '#14592a',
]

/** The same holds of the red of buttons that delete. */
const [red0, red1, red2, red3, red4, red5, red6, , , red9] = DEFAULT_THEME.colors.red
const red: MantineColorsTuple = [red0, red1, red2, red3, red4, red5, red6, '#c92a2a', '#b02525', red9]

export const theme = createTheme({
  primaryColor: 'moss',
  primaryShade: { light: 7, dark: 7 },
  colors: { moss, red },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // A menu may hold nothing but items and what separates them.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    MenuDivider: { defaultProps: { role: 'separator' } },
  },
})
