import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import {
  type Lookup,
  ON_MISS,
  ON_MISSING,
  type Rule,
  type RulePatch,
  TRANSFORMS,
  VALUE_TYPES,
} from '../core/model';
import { pathInWords } from '../core/paths';
import { kindOf, kindPatch, type LiteralName, typedPatch, typedText } from '../core/scalars';
import { CommitInput } from './CommitInput';

interface Props {
  rule: Rule;
  lookups: Lookup[];
  readOnly: boolean;
  /** What the server says is wrong with it. */
  faults: string[];
  onPatch: (patch: RulePatch, label: string) => void;
  onRemove: () => void;
}

/** All members of a rule that can be said in fields. A member that has its usual value is left out. */
export function RuleForm(props: Props) {
  const { rule, readOnly, faults, onPatch, onRemove } = props;
  const isConst = rule.const !== undefined && rule.src === undefined;
  return (
    <Stack gap={8}>
      {faults.map((fault) => (
        <Text key={fault} size="sm" c="var(--ls-err)" role="alert">
          {fault}
        </Text>
      ))}
      <ValueSource {...props} />
      <CommitInput
        label="Condition"
        placeholder="N1[01=ST] or BEG.01=00"
        value={rule.when ?? ''}
        readOnly={readOnly}
        onCommit={(text) => onPatch({ when: orNone(text) }, 'Changed the condition')}
      />
      {!isConst && <ValueFields {...props} />}
      <Group gap={8} grow align="flex-start">
        <Choice
          label="Type"
          words={VALUE_TYPES}
          value={rule.type ?? 'string'}
          standard="string"
          readOnly={readOnly}
          onChoose={(type) => onPatch({ type }, 'Changed the type')}
        />
        <Choice
          label="If missing"
          words={ON_MISSING}
          value={rule.on_missing ?? (rule.required ? 'error' : 'omit')}
          standard="omit"
          readOnly={readOnly}
          onChoose={(on_missing) =>
            onPatch({ on_missing, required: undefined }, 'Changed the handling of missing values')
          }
        />
      </Group>
      <CommitInput
        label="Note"
        value={rule.note ?? ''}
        readOnly={readOnly}
        onCommit={(text) => onPatch({ note: orNone(text) }, 'Changed the note')}
      />
      {rule.then !== undefined && (
        <Text size="sm" c="dimmed">
          {rule.then.length} More steps: {rule.then.map(({ op }) => op).join(', ')}. Edit them in
          the code.
        </Text>
      )}
      {!readOnly && (
        <Button
          size="compact-md"
          variant="default"
          onClick={onRemove}
          style={{ alignSelf: 'flex-start' }}
        >
          Remove link
        </Button>
      )}
    </Stack>
  );
}

/** What gives the value: a formula, a fixed value, or sources. */
function ValueSource(props: Props) {
  const { rule, readOnly, onPatch } = props;
  if (rule.formula === undefined) {
    const isConst = rule.const !== undefined && rule.src === undefined;
    return isConst ? <LiteralFields {...props} name="const" /> : <Sources {...props} />;
  }
  return (
    <CommitInput
      label="Formula"
      value={rule.formula}
      readOnly={readOnly}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onCommit={(text) => {
        if (text !== '') onPatch({ formula: text }, 'Changed the formula');
      }}
    />
  );
}

function Sources({ rule, readOnly, onPatch }: Props) {
  const sources =
    rule.src === undefined ? [] : typeof rule.src === 'string' ? [rule.src] : rule.src;
  const put = (list: string[]) => {
    const src = list.filter((path) => path !== '');
    const [only] = src;
    if (only === undefined) return;
    onPatch({ src: src.length === 1 ? only : src }, 'Changed the source');
  };
  return (
    <>
      {sources.map((path, index) => (
        <CommitInput
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a source of a list is known by
          key={index}
          label={index === 0 ? 'Source' : `Source ${index + 1}`}
          description={pathInWords(path)}
          value={path}
          readOnly={readOnly}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onCommit={(text) => put(sources.map((old, at) => (at === index ? text : old)))}
        />
      ))}
      {sources.length > 1 && (
        <CommitInput
          label="Join with"
          value={rule.join ?? ''}
          readOnly={readOnly}
          onCommit={(text) => onPatch({ join: text }, 'Changed the separator of the sources')}
        />
      )}
      {rule.on_duplicate !== undefined && (
        <CommitInput
          label="Several values"
          description="first, last, append, error, or join: and a separator"
          value={rule.on_duplicate}
          readOnly={readOnly}
          onCommit={(text) =>
            onPatch({ on_duplicate: orNone(text) }, 'Changed the handling of several values')
          }
        />
      )}
    </>
  );
}

function ValueFields(props: Props) {
  const { rule, lookups, readOnly, onPatch } = props;
  return (
    <>
      <Choice
        label="Transform"
        words={TRANSFORMS}
        value={rule.transform ?? 'none'}
        standard="none"
        readOnly={readOnly}
        onChoose={(transform) => onPatch({ transform }, 'Changed the transform')}
      />
      <LiteralFields {...props} name="default" />
      <LookupFields rule={rule} lookups={lookups} readOnly={readOnly} onPatch={onPatch} />
    </>
  );
}

const LITERALS = {
  const: { label: 'Constant', kinds: ['text', 'number', 'true', 'false', 'null'] },
  default: { label: 'Default', kinds: ['none', 'text', 'number', 'true', 'false', 'null'] },
} as const;

/** A literal and its kind: 5 and the text "5" are not the same, nor are none, null and an empty text. */
function LiteralFields({ rule, readOnly, onPatch, name }: Props & { name: LiteralName }) {
  const { label, kinds } = LITERALS[name];
  const words = `Changed the ${label.toLowerCase()}`;
  const text = typedText(rule[name]);
  const kind = kindOf(rule[name]);
  return (
    <Group gap={8} grow align="flex-start">
      <NativeSelect
        size="xs"
        label={`Kind of ${label.toLowerCase()}`}
        disabled={readOnly}
        data={[...kinds]}
        value={kind}
        onChange={({ currentTarget }) => {
          const chosen = kinds.find((each) => each === currentTarget.value);
          if (chosen !== undefined) onPatch(kindPatch(rule, name, chosen), words);
        }}
      />
      {text !== null && (
        <CommitInput
          label={label}
          value={text}
          readOnly={readOnly}
          onCommit={(typed) => onPatch(typedPatch(rule, name, typed), words)}
        />
      )}
    </Group>
  );
}

function LookupFields({
  rule,
  lookups,
  readOnly,
  onPatch,
}: Pick<Props, 'rule' | 'lookups' | 'readOnly' | 'onPatch'>) {
  const inline = rule.lookup?.table !== undefined;
  if (lookups.length === 0 && !inline) return null;
  const names = lookups.map(({ name }) => name);
  const choose = (table_id: string) =>
    onPatch(
      { lookup: table_id === '' ? undefined : { ...rule.lookup, table_id } },
      'Changed the lookup',
    );
  return (
    <Group gap={8} grow align="flex-start">
      <NativeSelect
        size="xs"
        label="Lookup"
        disabled={readOnly || inline}
        data={[
          { value: '', label: inline ? 'table in the rule' : 'none' },
          ...names.map((value) => ({ value, label: value })),
        ]}
        value={rule.lookup?.table_id ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {rule.lookup !== undefined && (
        <Choice
          label="If not in the table"
          words={ON_MISS}
          value={rule.lookup.on_miss ?? 'keep'}
          standard="keep"
          readOnly={readOnly}
          onChoose={(on_miss) => {
            const { on_miss: _, ...lookup } = rule.lookup ?? {};
            onPatch(
              { lookup: on_miss === undefined ? lookup : { ...lookup, on_miss } },
              'Changed the lookup',
            );
          }}
        />
      )}
    </Group>
  );
}

interface ChoiceProps {
  label: string;
  words: readonly string[];
  value: string;
  /** Left out of the rule. */
  standard: string;
  readOnly: boolean;
  onChoose: (word: string | undefined) => void;
}

function Choice({ label, words, value, standard, readOnly, onChoose }: ChoiceProps) {
  const known = words.includes(value) ? words : [...words, value];
  return (
    <NativeSelect
      size="xs"
      label={label}
      data-field={label.toLowerCase()}
      disabled={readOnly}
      data={[...known]}
      value={value}
      onChange={(event) => {
        const word = event.currentTarget.value;
        onChoose(word === standard ? undefined : word);
      }}
    />
  );
}

const orNone = (text: string) => (text === '' ? undefined : text);
