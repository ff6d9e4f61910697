/** What the palette offers without asking the server: the open page's actions, recent pages, places, actions of the console. */
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { IconName } from '@/ui/icons';
import { THEMES, useAppearance } from '../appearance';
import type { Theme } from '../appearance';
import { pageCommands } from '../commands';
import type { Command } from '../commands';
import { LOCALES, useLocale, useT } from '../i18n';
import type { Locale, MessageKey } from '../i18n';
import { openOverlay } from '../frame/overlays';
import { PLACES } from '../places';
import { useMaySubmit, useMe, useSections } from '../session';
import { useSignOut } from '../sign-out';
import { visits } from '../frame/visits';
import { TOPICS } from './topics';

/** A command as the palette shows it. */
export interface Item extends Command {
  /** Said after the label in a quieter voice. */
  hint?: string;
  /** What is there, see `find`. */
  topics?: string | undefined;
}

export interface Group {
  id: string;
  title: string;
  items: Item[];
}

const THEME_COMMANDS: Record<Theme, { icon: IconName; label: MessageKey }> = {
  auto: { icon: 'screen', label: 'palette.themeAuto' },
  light: { icon: 'sun', label: 'palette.themeLight' },
  dark: { icon: 'moon', label: 'palette.themeDark' },
};

export function useOwnGroups(): Group[] {
  const t = useT();
  const places = usePlaces();
  const actions = useActions();
  const recent = useRecent();
  // Read once: the page behind stands still while the palette is open.
  const page = useMemo(() => pageCommands(), []);
  return [
    { id: 'page', title: t('palette.page'), items: page },
    { id: 'recent', title: t('palette.recent'), items: recent },
    { id: 'places', title: t('palette.places'), items: places },
    { id: 'actions', title: t('palette.actions'), items: actions },
  ];
}

function usePlaces(): Item[] {
  const t = useT();
  const navigate = useNavigate();
  const me = useMe();
  const own: Item = {
    id: 'to my score',
    label: t('user.score'),
    icon: 'score',
    words: 'score',
    run: () => void navigate({ to: '/scores/$user', params: { user: me.name } }),
  };
  const places = useSections()
    .flatMap((section) => section.places)
    .map(({ to, icon, label, keys }) => ({
      id: `to ${to}`,
      label: t(label),
      icon,
      keys,
      // English names are found in every language.
      words: to.slice(1),
      topics: TOPICS[to],
      run: () => void navigate({ to }),
    }));
  return [...places, own];
}

function useActions(): Item[] {
  const t = useT();
  const locale = useLocale();
  const navigate = useNavigate();
  const leave = useSignOut();
  const { theme, chooseLanguage, chooseTheme } = useAppearance();
  const languages = (Object.keys(LOCALES) as Locale[]).filter((other) => other !== locale);
  const themes = THEMES.filter((other) => other !== theme);
  const submit: Item = {
    id: 'new job',
    label: t('jobs.new'),
    icon: 'plus',
    keys: 'n',
    words: 'new job submit create',
    run: () => void navigate({ to: '/jobs/new' }),
  };
  return [
    ...(useMaySubmit() ? [submit] : []),
    ...languages.map((other): Item => ({
      id: `language ${other}`,
      label: t('palette.language', { language: LOCALES[other] }),
      icon: 'globe',
      words: 'language 语言',
      run: () => chooseLanguage(other),
    })),
    ...themes.map((other): Item => ({
      id: `theme ${other}`,
      label: t(THEME_COMMANDS[other].label),
      icon: THEME_COMMANDS[other].icon,
      words: `theme ${other}`,
      run: () => chooseTheme(other),
    })),
    {
      id: 'shortcuts',
      label: t('shortcuts.title'),
      icon: 'keyboard',
      keys: '?',
      words: 'keyboard help shortcuts',
      run: () => openOverlay('shortcuts'),
    },
    { id: 'sign out', label: t('signOut'), icon: 'signOut', words: 'sign out log out', run: () => void leave() },
  ];
}

const MOST_RECENT = 4;

/** Pages one was at, without the one that is open and without the places, which are listed anyway. */
function useRecent(): Item[] {
  const navigate = useNavigate();
  return useMemo(() => {
    const [, ...earlier] = visits();
    const listed = new Set<string>(PLACES.map(({ to }) => to));
    return earlier
      .filter(({ path }) => !listed.has(path))
      .slice(0, MOST_RECENT)
      .map(({ path, title }) => ({
        id: `again ${path}`,
        label: title,
        icon: iconOf(path),
        hint: path,
        run: () => void navigate({ to: path as '/' }),
      }));
  }, [navigate]);
}

function iconOf(path: string): IconName {
  return PLACES.find(({ to }) => to !== '/' && path.startsWith(`${to}/`))?.icon ?? 'overview';
}
