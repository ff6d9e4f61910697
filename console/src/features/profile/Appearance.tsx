/** Language, theme and time zone. */
import '@/ui/theme/kit-forms.css';
import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import type { Theme } from '@/app/appearance';
import { useAppearance } from '@/app/appearance';
import type { Locale } from '@/app/i18n';
import { LOCALES, useLocale, useT } from '@/app/i18n';
import { Panel } from '@/ui/page/Panel';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Profile.module.css';

const ZoneChoice = lazy(() => import('./ZoneChoice'));

export function Appearance() {
  const t = useT();
  const locale = useLocale();
  const { theme, chooseLanguage, chooseTheme } = useAppearance();
  return (
    <Panel title={t('profile.appearance')}>
      <div className={layout.parts}>
        <Choice id="language" label={t('language.label')}>
          <SegmentedControl
            aria-labelledby="language"
            data={(Object.keys(LOCALES) as Locale[]).map((value) => ({ value, label: LOCALES[value] }))}
            value={locale}
            onChange={(value) => chooseLanguage(value as Locale)}
          />
        </Choice>
        <Choice id="theme" label={t('theme.label')}>
          <SegmentedControl
            aria-labelledby="theme"
            data={[
              { value: 'auto', label: t('theme.auto') },
              { value: 'light', label: t('theme.light') },
              { value: 'dark', label: t('theme.dark') },
            ]}
            value={theme}
            onChange={(value) => chooseTheme(value as Theme)}
          />
        </Choice>
        <div className={style.choice}>
          <label htmlFor="zone" className={`${ink.quiet} ${style.choiceLabel}`}>
            {t('profile.zone')}
          </label>
          <Suspense fallback={<span className={style.zone} />}>
            <ZoneChoice id="zone" />
          </Suspense>
        </div>
      </div>
    </Panel>
  );
}

function Choice({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className={style.choice}>
      <span id={id} className={`${ink.quiet} ${style.choiceLabel}`}>
        {label}
      </span>
      {children}
    </div>
  );
}
