/** Colours, sizes and the defaults without which some parts of the component kit are not accessible. */
import {
  Anchor,
  Badge,
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
  Portal,
  Radio,
  Switch,
} from '@mantine/core';

const harbour: MantineColorsTuple = [
  '#eef5ff',
  '#dbe9fd',
  '#b6d3fb',
  '#93c2fd',
  '#6fb0ff',
  '#4394f5',
  '#1f78e2',
  '#0b5fce',
  '#084ca6',
  '#063a80',
];

/** The kit paints its own dark parts, such as fields, with these. */
const night: MantineColorsTuple = [
  '#e5eaf1',
  '#c3cddb',
  '#9aa8ba',
  '#7a899d',
  '#2c3745',
  '#232e3b',
  '#1b2430',
  '#161d26',
  '#11171f',
  '#0f141b',
];

const LIGHT = {
  bg: '#f7f8fa',
  panel: '#ffffff',
  line: '#d9dde3',
  text: '#1c2330',
  muted: '#5b6675',
  accent: '#0b5fce',
  sel: '#dbe9fd',
  ok: '#116b3c',
  warn: '#8a4b00',
  err: '#b3261e',
  'ok-bg': '#e6f4ec',
  'warn-bg': '#fdf1df',
  'err-bg': '#fdeceb',
  link: '#7d93b2',
  // The colours of a chart, distinct also for people who confuse red and green.
  'chart-1': '#0b5fce',
  'chart-2': '#c25400',
  'chart-3': '#0f7b6c',
  'chart-4': '#8a3ab0',
  'chart-5': '#946c00',
  'chart-6': '#6b7685',
};

const DARK: typeof LIGHT = {
  bg: '#0f141b',
  panel: '#161d26',
  line: '#2c3745',
  text: '#e5eaf1',
  muted: '#9aa8ba',
  accent: '#6fb0ff',
  sel: '#1d3552',
  ok: '#5fd08d',
  warn: '#f0b35a',
  err: '#ff8a80',
  'ok-bg': '#12301f',
  'warn-bg': '#33260f',
  'err-bg': '#3a1a18',
  link: '#5f7899',
  'chart-1': '#6fb0ff',
  'chart-2': '#f2994a',
  'chart-3': '#4fc3b0',
  'chart-4': '#c792ea',
  'chart-5': '#e0c05a',
  'chart-6': '#93a1b3',
};

function variables(tokens: typeof LIGHT): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--ls-${name}`, value])),
    '--mantine-color-body': tokens.panel,
    '--mantine-color-text': tokens.text,
    '--mantine-color-default-border': tokens.line,
    '--mantine-color-dimmed': tokens.muted,
    '--mantine-color-placeholder': tokens.muted,
    '--mantine-color-error': tokens.err,
    '--mantine-color-anchor': tokens.accent,
  };
}

/** The tokens `--ls-*`, and the kit's own variables that would have too little contrast. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: { '--ls-production': '#7a2e00' },
  light: variables(LIGHT),
  dark: variables(DARK),
});

const SMALL = { fontSize: '12px', lineHeight: '18px' };

export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 7, dark: 7 },
  colors: { harbour, dark: night },
  fontFamily: 'Inter, system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { md: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { sm: '4px', md: '6px', lg: '8px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' }, h2: { fontSize: '16px' } },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // A link in running text needs more than its colour.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // Their own size would be 11 px.
    Checkbox: Checkbox.extend({ styles: { description: SMALL } }),
    Radio: Radio.extend({ styles: { description: SMALL } }),
    Switch: Switch.extend({ styles: { description: SMALL } }),
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: { description: SMALL, error: SMALL },
    },
    Badge: Badge.extend({ defaultProps: { radius: 'sm', tt: 'none', fw: 500 } }),
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: { centered: true },
      styles: { title: { fontSize: '16px', fontWeight: 600 } },
    }),
    // A header element in a dialog would count as a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    ModalCloseButton: { defaultProps: { 'aria-label': 'Close' } },
    DrawerCloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: { description: { color: 'var(--ls-muted)' } },
    }),
    Portal: Portal.extend({ defaultProps: { target: '#overlays' } }),
  },
});
