/** The kit dressed in our colours, sizes and radii; the tokens themselves live in ui/theme/tokens.css. */
import { createTheme, localStorageColorSchemeManager } from '@mantine/core';
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core';
import type { ReactNode } from 'react';

const accent: MantineColorsTuple = [
  '#eef2ff',
  '#dfe7ff',
  '#bccbff',
  '#96adff',
  '#7c9bff',
  '#5479f5',
  '#2f5bea',
  '#264cc9',
  '#1f3fa6',
  '#18307f',
];
const grey: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f5',
  '#e2e6ec',
  '#cfd5de',
  '#aab3c0',
  '#8691a0',
  '#5b6675',
  '#404a58',
  '#2a323e',
  '#1a202c',
];
const dark: MantineColorsTuple = [
  '#e6e9ee',
  '#b9c2ce',
  '#9aa5b4',
  '#667284',
  '#2a323e',
  '#222a35',
  '#1b212b',
  '#161b23',
  '#0f1319',
  '#0a0d12',
];
const red: MantineColorsTuple = [
  '#fdeeee',
  '#fad7d7',
  '#f3b0b0',
  '#ff8a85',
  '#f06560',
  '#dc3f43',
  '#c0272d',
  '#a31f25',
  '#83191e',
  '#611216',
];

export const FONT =
  'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
export const MONO =
  'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", monospace';

/** A wrong value is marked at its border and below; what was typed, or may be, keeps its colour. */
function inputVars(_theme: unknown, { error }: { error?: ReactNode }): { wrapper: Record<string, string> } {
  const colours: Record<string, string> = error
    ? { '--input-bd': 'var(--red)', '--input-color': 'var(--text)', '--input-placeholder-color': 'var(--faint)' }
    : { '--input-bd': 'var(--border-strong)' };
  return { wrapper: { '--input-fz': '13px', ...colours } };
}

export const theme = createTheme({
  colors: { accent, gray: grey, dark, red },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  white: '#ffffff',
  black: '#1a202c',
  fontFamily: FONT,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '22px', xl: '26px' },
  headings: { fontFamily: FONT, fontWeight: '600' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' }, styles: { root: { fontSize: 13, fontWeight: 500 }, section: { marginInlineEnd: 6 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 30 } },
    Input: { vars: inputVars },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } }, styles: { option: { fontSize: 13 } } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' }, styles: { label: { fontSize: 13 }, description: { fontSize: 12 } } },
    Switch: { defaultProps: { size: 'xs' }, styles: { label: { fontSize: 13 }, description: { fontSize: 12 } } },
    // A hint stands below its field, in every form.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: { description: { fontSize: 12 }, error: { fontSize: 12 } },
    },
    Modal: {
      defaultProps: { radius: 'lg', centered: true, transitionProps: { duration: 120 } },
      styles: { title: { fontSize: 15, fontWeight: 600 } },
    },
    Notification: { defaultProps: { withBorder: true } },
  },
});

/** Mantine's own greys would clash with ours and fail contrast; every surface points at our tokens instead. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--faint)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--red)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--border-strong)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--faint)',
    '--mantine-color-disabled-border': 'var(--border)',
    '--mantine-color-gray-light': 'var(--sunken)',
    '--mantine-color-gray-light-color': 'var(--muted)',
    '--mantine-color-gray-light-hover': 'var(--hover)',
    '--mantine-color-gray-outline': 'var(--muted)',
    '--mantine-color-gray-text': 'var(--muted)',
    '--mantine-color-accent-light': 'var(--accent-tint)',
    '--mantine-color-accent-light-hover': 'var(--accent-tint)',
    '--mantine-color-accent-light-color': 'var(--accent)',
    '--mantine-color-accent-text': 'var(--accent)',
    '--mantine-color-red-text': 'var(--red)',
    '--mantine-color-red-light': 'var(--red-tint)',
    '--mantine-color-red-light-color': 'var(--red)',
  };
  return { variables: {}, light: shared, dark: shared };
};

/** The same key that early-theme.js reads before the first paint. */
export const colorSchemes = localStorageColorSchemeManager({ key: 'danlu.theme' });
