import { Checkbox, Input, Popover, Stack } from '@mantine/core';
import { keysOf, wordsIn } from '../core/statusWords';
import { Icon } from './Icon';
import classes from './ManyFilter.module.css';

interface Props<Word extends string> {
  label: string;
  /** Words by comma, as the address has them; undefined: not narrowed. */
  value: string | undefined;
  among: Readonly<Record<Word, { word: string }>>;
  onChange: (value: string | undefined) => void;
  className?: string | undefined;
}

/** Narrows a list to any of several words. */
export function ManyFilter<Word extends string>(props: Props<Word>) {
  const { label, value, among, onChange, className = '' } = props;
  const chosen = wordsIn(value, among);
  const shown = chosen.map((word) => among[word].word).join(', ') || 'all';
  const all = keysOf(among);
  const choose = (names: readonly string[]) =>
    onChange(all.filter((word) => names.includes(word)).join(',') || undefined);
  return (
    <Input.Wrapper label={label} labelElement="div" className={className}>
      <Popover position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <Input
            component="button"
            type="button"
            pointer
            classNames={{ input: classes.chosen }}
            aria-label={`${label}: ${shown}`}
            rightSection={<Icon name="chevronDown" size={14} />}
          >
            {shown}
          </Input>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          <Checkbox.Group aria-label={label} value={chosen} onChange={choose}>
            <Stack gap="xs">
              {all.map((word) => (
                <Checkbox key={word} value={word} label={among[word].word} />
              ))}
            </Stack>
          </Checkbox.Group>
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  );
}
