/** The form and the file as tabs, where there is no room for both; wide screens never load it. */
import '@/ui/theme/kit-tabs.css';
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '@/app/i18n';
import layout from '@/ui/page/layout.module.css';
import style from './Submit.module.css';

interface Props {
  tab: string;
  onTab: (tab: string) => void;
  form: ReactNode;
  file: ReactNode;
}

export default function NarrowTabs({ tab, onTab, form, file }: Props) {
  const t = useT();
  return (
    <Tabs value={tab} onChange={(next) => onTab(next ?? 'form')} keepMounted={false} className={layout.fills}>
      <Tabs.List>
        <Tabs.Tab value="form">{t('submit.form')}</Tabs.Tab>
        <Tabs.Tab value="file">{t('submit.file')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="form" className={style.tabPanel}>
        {form}
      </Tabs.Panel>
      <Tabs.Panel value="file" className={style.tabPanel}>
        {file}
      </Tabs.Panel>
    </Tabs>
  );
}
