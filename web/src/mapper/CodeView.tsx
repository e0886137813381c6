import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { parseRules, printRules } from '../core/code';
import type { Rule } from '../core/model';
import { CopyButton } from '../ui/CopyButton';
import classes from './Overlay.module.css';

interface Props {
  rules: Rule[];
  readOnly: boolean;
  onRules: (rules: Rule[]) => void;
}

/** The rules as JSON, both ways: what is typed takes effect on leaving the field or with Ctrl Enter. */
export function CodeView({ rules, readOnly, onRules }: Props) {
  const printed = printRules(rules);
  const [text, setText] = useState(printed);
  const [errors, setErrors] = useState<{ line: number; message: string }[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    setText(printed);
    setErrors([]);
  }, [printed]);
  const apply = () => {
    if (text === printed || readOnly) return;
    const found = parseRules(text);
    if ('errors' in found) {
      setErrors(found.errors);
      return;
    }
    setErrors([]);
    onRules(found.rules);
  };
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
          {rules.length} rules, as convert takes them. Ctrl Enter applies.
        </Text>
        <CopyButton text={text} what="rules" />
      </Group>
      {errors.length > 0 && (
        <ul className={classes.errors} aria-label="Errors in the rules">
          {errors.map((error) => (
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
        aria-invalid={errors.length > 0}
        spellCheck={false}
        readOnly={readOnly}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply();
        }}
      />
      <Group gap="sm">
        <Button onClick={apply} disabled={readOnly || text === printed}>
          Apply
        </Button>
        <Button
          variant="default"
          disabled={text === printed}
          onClick={() => {
            setText(printed);
            setErrors([]);
          }}
        >
          Take back
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
