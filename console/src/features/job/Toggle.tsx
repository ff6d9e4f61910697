/** A button with an icon that is on or off. */
import { ActionIcon } from '@mantine/core';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';

export function Toggle({ icon, label, on, onChange }: { icon: IconName; label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <ActionIcon
      variant={on ? 'light' : 'subtle'}
      color={on ? 'accent' : 'gray'}
      aria-label={label}
      title={label}
      aria-pressed={on}
      onClick={() => onChange(!on)}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}
