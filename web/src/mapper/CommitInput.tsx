import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTyped } from './typed';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onCommit: (value: string) => void;
}

/** A text that takes effect on blur, Enter or saving; Escape takes back what was typed. */
export function CommitInput({ value, onCommit, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const isTyped = typed !== null && typed !== value;
  const commit = () => {
    setTyped(null);
    if (isTyped) onCommit(typed);
  };
  useTyped(isTyped, commit);
  return (
    <TextInput
      size="xs"
      {...rest}
      value={typed ?? value}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape' && isTyped) {
          event.stopPropagation();
          setTyped(null);
        }
      }}
    />
  );
}
