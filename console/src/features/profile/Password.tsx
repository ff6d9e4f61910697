/** One's own password, and what ends when it changes. */
import '@/ui/theme/kit-choices.css';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { sessionKeys } from '@/api/session';
import { meKeys } from '@/api/me';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { queryClient } from '@/app/queries';
import { PasswordForm } from '@/ui/form/PasswordForm';
import { Panel } from '@/ui/page/Panel';

const AT_FIRST = { end_sessions: true, end_tokens: false };

export function Password() {
  const t = useT();
  const [ends, setEnds] = useState(AT_FIRST);
  const done = () => {
    setEnds(AT_FIRST);
    notify({ message: t('profile.passwordChanged') });
    void queryClient.invalidateQueries({ queryKey: sessionKeys.tokens });
    void queryClient.invalidateQueries({ queryKey: meKeys.sessions });
  };
  return (
    <Panel title={t('profile.password')}>
      <PasswordForm needsCurrent ends={ends} submitLabel={t('profile.changePassword')} onDone={done}>
        <Checkbox
          label={t('profile.endSessions')}
          checked={ends.end_sessions}
          onChange={(event) => setEnds({ ...ends, end_sessions: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('profile.endTokens')}
          description={t('profile.endTokensHint')}
          checked={ends.end_tokens}
          onChange={(event) => setEnds({ ...ends, end_tokens: event.currentTarget.checked })}
        />
      </PasswordForm>
    </Panel>
  );
}
