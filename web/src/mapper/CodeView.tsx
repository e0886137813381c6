import { Button, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { parseRules, printRules } from '../core/code';
import type { Rule } from '../core/model';
import { CopyButton } from '../ui/CopyButton';
import classes from './Overlay.module.css';
import { useTyped } from './typed';

interface Props {
  rules: Rule[];
  readOnly: boolean;
  onRules: (rules: Rule[]) => void;
}

/** The rules as JSON, both ways: what is typed takes effect on leaving the field, saving, or Ctrl Enter. */
export function CodeView({ rules, readOnly, onRules }: Props) {
  const printed = printRules(rules);
  const [typed, setTyped] = useState<string | null>(null);
  const [errors, setErrors] = useState<{ line: number; message: string }[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);
  const text = typed ?? printed;
  const isTyped = text !== printed && !readOnly;
  const faults = isTyped ? errors : [];
  const takeBack = () => {
    setTyped(null);
    setErrors([]);
  };
  const apply = () => {
    if (!isTyped) return;
    const found = parseRules(text);
    if ('errors' in found) {
      setErrors(found.errors);
      return;
    }
    takeBack();
    onRules(found.rules);
  };
  useTyped(isTyped, apply);
  const goTo = (line: number) => {
    const start = lineStart(text, line);
    const end = text.indexOf('\n', start);
    area.current?.focus();
    area.current?.setSelectionRange(start, end < 0 ? text.length : end);
  };
  return (
    <Stack gap="sm" className={classes.code ?? ''}>
      <Group gap="sm" justify="space-between">
        <Text size="sm" c="dimmed">
          {rules.length} rules, in the format of the convert API. Ctrl Enter applies.
        </Text>
        <CopyButton text={text} what="rules" />
      </Group>
      {faults.length > 0 && (
        <Text role="alert" size="sm" c="var(--ls-err)">
          Not applied and not saved. Fix the rules, or press Revert.
        </Text>
      )}
      {faults.length > 0 && (
        <ul className={classes.errors} aria-label="Errors in the rules">
          {faults.map((error) => (
            <li key={`${error.line} ${error.message}`}>
              <button type="button" onClick={() => goTo(error.line)}>
                Line {error.line}
              </button>{' '}
              {error.message}
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={area}
        className={classes.editor}
        aria-label="Rules"
        aria-invalid={faults.length > 0}
        spellCheck={false}
        readOnly={readOnly}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply();
        }}
      />
      <Group gap="sm">
        <Button onClick={apply} disabled={!isTyped}>
          Apply
        </Button>
        <Button
          variant="default"
          disabled={!isTyped}
          // The field keeps the focus: leaving it would apply what is to be taken back.
          onMouseDown={(event) => event.preventDefault()}
          onClick={takeBack}
        >
          Revert
        </Button>
      </Group>
    </Stack>
  );
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let now = 1; now < line; now += 1) {
    const next = text.indexOf('\n', at);
    if (next < 0) return at;
    at = next + 1;
  }
  return at;
}
