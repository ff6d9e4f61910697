/** Language, theme and time zone: changed at once, remembered by this browser, and kept by the server for every other one. */
import type { MantineColorScheme } from '@mantine/core';
import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Preferences, PreferencesChange } from '@/api/me';
import { errorText } from '@/ui/page/States';
import { chooseLocale, useT } from './i18n';
import type { Locale } from './i18n';
import { notify } from './notify';
import { preferencesQuery, useChangePreferences } from './preferences';
import { useSignedIn } from './session';
import { chooseTimeZone } from './time-zone';

export type Theme = MantineColorScheme;
export const THEMES = ['auto', 'light', 'dark'] as const satisfies readonly Theme[];

interface Appearance {
  theme: Theme;
  chooseLanguage: (language: Locale) => void;
  chooseTheme: (theme: Theme) => void;
  /** Null is the browser's own. */
  chooseZone: (zone: string | null) => void;
}

export function useAppearance(): Appearance {
  const keep = useKeep();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return {
    theme: colorScheme,
    chooseLanguage: (language) => {
      void chooseLocale(language);
      keep({ language });
    },
    chooseTheme: (theme) => {
      setColorScheme(theme);
      keep({ theme });
    },
    chooseZone: (zone) => {
      chooseTimeZone(zone);
      keep({ time_zone: zone });
    },
  };
}

/** Before the sign-in there is nobody to keep it for: this browser remembers. */
function useKeep(): (change: PreferencesChange) => void {
  const t = useT();
  const signedIn = useSignedIn();
  const show = useShow();
  const change = useChangePreferences((error, before) => {
    // A refusal may come before the change was ever drawn, and then nothing else takes it back.
    if (before) show(before);
    notify({ bad: true, title: t('preferences.failed'), message: errorText(error, t) });
  });
  return signedIn ? change : () => undefined;
}

function useShow(): (kept: Preferences) => void {
  const { setColorScheme } = useMantineColorScheme();
  return ({ language, theme, time_zone: zone }) => {
    if (language) void chooseLocale(language);
    if (theme) setColorScheme(theme);
    // Null is a choice here, and a zone left behind by another person must not stay.
    if (zone !== undefined) chooseTimeZone(zone);
  };
}

/** What the server keeps wins over what this browser remembered; what it does not know is left alone. */
export function useKeptAppearance(): void {
  const { data } = useQuery(preferencesQuery);
  const { setColorScheme } = useMantineColorScheme();
  const language = data?.language;
  const theme = data?.theme;
  const zone = data?.time_zone;
  useEffect(() => {
    if (language) void chooseLocale(language);
  }, [language]);
  useEffect(() => {
    if (theme) setColorScheme(theme);
  }, [theme, setColorScheme]);
  useEffect(() => {
    // Null is a choice here, and a zone left behind by another person must not stay.
    if (zone !== undefined) chooseTimeZone(zone);
  }, [zone]);
}
