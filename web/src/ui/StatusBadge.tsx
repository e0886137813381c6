import { Badge } from '@mantine/core';
import { Icon, type IconName } from './Icon';

export type Tone = 'ok' | 'warn' | 'err' | 'plain';

const ICONS: Record<Tone, IconName> = { ok: 'check', warn: 'alert', err: 'close', plain: 'minus' };

interface Props {
  tone: Tone;
  children: string;
  icon?: IconName | undefined;
}

/** A status in words, with an icon and a colour; never by colour alone. */
export function StatusBadge({ tone, children, icon = ICONS[tone] }: Props) {
  const color = tone === 'plain' ? 'var(--ls-muted)' : `var(--ls-${tone})`;
  const background = tone === 'plain' ? 'var(--ls-bg)' : `var(--ls-${tone}-bg)`;
  return (
    <Badge
      fz={12}
      miw="max-content"
      leftSection={<Icon name={icon} size={12} />}
      vars={() => ({
        root: {
          '--badge-color': color,
          '--badge-bg': background,
          '--badge-bd': `1px solid ${tone === 'plain' ? 'var(--ls-line)' : 'transparent'}`,
        },
      })}
    >
      {children}
    </Badge>
  );
}
