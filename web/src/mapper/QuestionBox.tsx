import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Choice, ConnectAnswer } from '../core/model';
import classes from './QuestionBox.module.css';
import type { Asked } from './useConnect';

interface Props {
  asked: Asked;
  onAnswer: (answer: ConnectAnswer) => void;
  onCancel: () => void;
}

/** Over the target rows: a link that can be meant in several ways, or that cannot be made as it is. */
export function QuestionBox({ asked, onAnswer, onCancel }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const from = document.activeElement;
    box.current?.querySelector<HTMLElement>('input, button')?.focus();
    return () => {
      if (from instanceof HTMLElement) from.focus();
    };
  }, []);
  const { result } = asked;
  return (
    <div
      ref={box}
      role="dialog"
      aria-label="About this link"
      className={classes.box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      {result.kind === 'question' ? (
        <Choices
          text={result.question.text}
          choices={result.question.choices}
          onAnswer={onAnswer}
          onCancel={onCancel}
        />
      ) : (
        <Stack gap={8}>
          <Text size="sm">{result.refusal}</Text>
          <Group gap={8}>
            {result.fix !== undefined && (
              <Button size="compact-md" onClick={() => onAnswer({ value: 'fix' })}>
                {result.fix}
              </Button>
            )}
            <Button size="compact-md" variant="default" onClick={onCancel}>
              {result.fix === undefined ? 'Close' : 'Cancel'}
            </Button>
          </Group>
        </Stack>
      )}
    </div>
  );
}

interface ChoicesProps {
  text: string;
  choices: Choice[];
  onAnswer: (answer: ConnectAnswer) => void;
  onCancel: () => void;
}

function Choices({ text, choices, onAnswer, onCancel }: ChoicesProps) {
  const [chosen, setChosen] = useState<string>(choices[0]?.value ?? 'first');
  const [separator, setSeparator] = useState(', ');
  const choice = choices.find(({ value }) => value === chosen) ?? choices[0];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (choice === undefined) return;
        onAnswer(
          choice.needsText ? { value: choice.value, text: separator } : { value: choice.value },
        );
      }}
    >
      <Stack gap={8}>
        <Radio.Group label={text} value={chosen} onChange={setChosen}>
          <Stack gap={6} mt={6}>
            {choices.map(({ value, label }) => (
              <Radio key={value} size="xs" value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        {choice?.needsText === true && (
          <TextInput
            size="xs"
            label="Separator"
            value={separator}
            onChange={(event) => setSeparator(event.currentTarget.value)}
          />
        )}
        <Group gap={8}>
          <Button type="submit" size="compact-md">
            Link
          </Button>
          <Button size="compact-md" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
