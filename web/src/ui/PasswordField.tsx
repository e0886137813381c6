import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';

/** A field for a password: it can be shown, and says when caps lock is on. */
export function PasswordField({ description, onBlur, ...props }: PasswordInputProps) {
  const [capsLock, setCapsLock] = useState(false);
  const [visible, setVisible] = useState(false);
  const look = (event: KeyboardEvent<HTMLInputElement>) =>
    setCapsLock(event.getModifierState('CapsLock'));
  return (
    <PasswordInput
      // Where it is asked for, nobody can go on without it: a mark would say nothing.
      withAsterisk={false}
      {...props}
      description={capsLock ? 'Caps lock is on.' : description}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show password', 'aria-pressed': visible }}
      onKeyDown={look}
      onKeyUp={look}
      onBlur={(event) => {
        setCapsLock(false);
        onBlur?.(event);
      }}
    />
  );
}
