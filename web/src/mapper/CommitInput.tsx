import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useState } from 'react';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onCommit: (value: string) => void;
}

/** A text that takes effect on blur or Enter; Escape takes back what was typed. */
export function CommitInput({ value, onCommit, ...rest }: Props) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const commit = () => {
    if (typed !== value) onCommit(typed);
  };
  return (
    <TextInput
      size="xs"
      {...rest}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape' && typed !== value) {
          event.stopPropagation();
          setTyped(value);
        }
      }}
    />
  );
}
