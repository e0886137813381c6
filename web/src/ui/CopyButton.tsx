import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from './Icon';
import { announce } from './LiveRegion';

interface Props {
  text: string;
  /** What is copied, for the name of the button: "Copy key". */
  what?: string;
  size?: 'compact-sm' | 'sm';
}

/** Copies a text, and says so. */
export function CopyButton({ text, what = '', size = 'compact-sm' }: Props) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
      announce('Copied.');
    } catch {
      setState('failed');
      announce('The browser did not allow copying. Select the text and copy it yourself.');
    }
    setTimeout(() => setState('ready'), 2500);
  };
  const words = { ready: `Copy ${what}`.trim(), copied: 'Copied', failed: 'Not allowed' }[state];
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<Icon name={state === 'copied' ? 'check' : 'copy'} size={14} />}
      onClick={copy}
    >
      {words}
    </Button>
  );
}
