import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';

type Props = Omit<ButtonProps, 'variant' | 'color'> & ComponentPropsWithoutRef<'button'>;

/** A button for what cannot be undone; the colour of errors has enough contrast as an outline only. */
export function DangerButton(props: Props) {
  return <Button {...props} variant="outline" color="var(--ls-err)" />;
}
