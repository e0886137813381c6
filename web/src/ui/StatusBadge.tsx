import { Badge } from '@mantine/core';
import { Icon, type IconName } from './Icon';

export type Tone = 'ok' | 'warn' | 'err' | 'plain' | 'open';

const ICONS: Record<Tone, IconName> = {
  ok: 'check',
  warn: 'alert',
  err: 'close',
  plain: 'minus',
  open: 'help',
};

const COLORS: Record<Tone, [text: string, background: string]> = {
  ok: ['--ls-ok', '--ls-ok-bg'],
  warn: ['--ls-warn', '--ls-warn-bg'],
  err: ['--ls-err', '--ls-err-bg'],
  plain: ['--ls-muted', '--ls-bg'],
  open: ['--ls-accent', '--ls-sel'],
};

interface Props {
  tone: Tone;
  children: string;
  icon?: IconName | undefined;
}

/** A status in words, with an icon and a colour; never by colour alone. */
export function StatusBadge({ tone, children, icon = ICONS[tone] }: Props) {
  const [color, background] = COLORS[tone];
  return (
    <Badge
      fz={12}
      miw="max-content"
      leftSection={<Icon name={icon} size={12} />}
      vars={() => ({
        root: {
          '--badge-color': `var(${color})`,
          '--badge-bg': `var(${background})`,
          '--badge-bd': `1px solid ${tone === 'plain' ? 'var(--ls-line)' : 'transparent'}`,
        },
      })}
    >
      {children}
    </Badge>
  );
}
