import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { MapState, RulePatch, SourceNode, Suggestion, TargetNode } from '../core/model';
import { removeRule, updateRule } from '../core/rules';
import { visibleText } from '../core/visible';
import { CommitInput } from './CommitInput';
import type { Faults } from './faults';
import classes from './Mapper.module.css';
import { RuleForm } from './RuleForm';
import { titleOf } from './TreeItem';
import type { Editor } from './useEditor';
import { badgeWord } from './words';

interface Props {
  editor: Editor;
  node: TargetNode | null;
  rules: number[];
  faults: Faults;
  offer: Suggestion | null;
  onAccept: () => void;
  onReject: () => void;
  onConstant: (value: string) => void;
  /** The constant is asked for at once. */
  typesConstant: boolean;
  /** Lets the user choose a source in a list, where there is no room for two trees. */
  onPickSource: () => void;
  picked: SourceNode | null;
  onLinkPicked: () => void;
}

/** Everything about the selected target. */
export function Inspector(props: Props) {
  const { editor, node, rules } = props;
  return (
    <section className={`${classes.pane} ${classes.inspector}`} aria-label="Inspector">
      <Stack gap={10} p={10}>
        {node === null ? (
          <Text size="sm" c="dimmed">
            Select a target row to see and change its rule.
          </Text>
        ) : (
          <>
            <div>
              <h2 className={classes.paneTitle}>{visibleText(titleOf(node))}</h2>
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {visibleText(node.path ?? node.id)}, {badgeWord(node.badge)}
                {node.required ? ', required' : ''}
              </Text>
            </div>
            {rules.map((index) => (
              <OneRule key={index} index={index} state={editor.state} {...props} />
            ))}
            {rules.length === 0 && node.path !== null && <Unmapped {...props} />}
            {node.path === null && (
              <Text size="sm" c="dimmed">
                This row contains others; it has no value.
              </Text>
            )}
          </>
        )}
      </Stack>
    </section>
  );
}

function OneRule({ index, state, editor, faults }: Props & { index: number; state: MapState }) {
  const rule = state.field_map[index];
  if (rule === undefined) return null;
  const patch = (change: RulePatch, label: string) => {
    const done = updateRule(state, index, change);
    editor.edit(done.state, `${label} of ${rule.tgt}`);
  };
  return (
    <RuleForm
      rule={rule}
      lookups={state.lookups}
      readOnly={editor.readOnly}
      faults={faults.byRule.get(index) ?? []}
      onPatch={patch}
      onRemove={() => {
        const done = removeRule(state, index);
        editor.edit(done.state, done.announcement);
      }}
    />
  );
}

function Unmapped(props: Props) {
  const { editor, offer, picked } = props;
  const [typing, setTyping] = useState(props.typesConstant);
  if (editor.readOnly) return <Text size="sm">Not mapped.</Text>;
  return (
    <Stack gap={8} align="flex-start">
      <Text size="sm">Not mapped.</Text>
      {offer !== null && (
        <>
          <Text size="sm">
            Suggested: <code>{offer.src}</code> ({offer.reason})
          </Text>
          <Group gap={8}>
            <Button size="compact-md" onClick={props.onAccept}>
              Accept
            </Button>
            <Button size="compact-md" variant="default" onClick={props.onReject}>
              Reject
            </Button>
          </Group>
        </>
      )}
      <Group gap={8}>
        {picked !== null && (
          <Button size="compact-md" variant="default" onClick={props.onLinkPicked}>
            Link {picked.path}
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={props.onPickSource}>
          Choose a source
        </Button>
        {!typing && (
          <Button size="compact-md" variant="default" onClick={() => setTyping(true)}>
            Set a value
          </Button>
        )}
      </Group>
      {typing && (
        <CommitInput
          label="Constant"
          description="Press Enter to set it."
          value=""
          autoFocus
          onCommit={(text) => {
            setTyping(false);
            props.onConstant(text);
          }}
        />
      )}
    </Stack>
  );
}
