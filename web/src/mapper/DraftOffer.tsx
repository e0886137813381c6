import { Button, Group } from '@mantine/core';
import { withDraft } from '../core/draft';
import { Icon } from '../ui/Icon';
import { Time } from '../ui/Time';
import classes from './Mapper.module.css';
import type { Bench } from './useBench';
import type { useDraft } from './useDraft';

/** What was not saved before the page went away, offered once. */
export function DraftOffer({ bench, draft }: { bench: Bench; draft: ReturnType<typeof useDraft> }) {
  const { editor } = bench;
  const { offered } = draft;
  if (offered === null) return null;
  const older = offered.baseVersion !== null && offered.baseVersion !== editor.base?.version;
  return (
    <div role="alert" className={classes.draft}>
      <Icon name="clock" size={16} />
      <span>
        <strong>There are unsaved changes from before:</strong> {offered.field_map.length} rules,
        kept in this browser <Time value={offered.at} />.
        {older ? ` They were made on version ${offered.baseVersion}; this is newer.` : ''}
      </span>
      <Group gap="sm">
        <Button
          size="compact-md"
          onClick={() => {
            draft.answered();
            editor.edit(withDraft(editor.state, offered), 'Took up the unsaved changes');
          }}
        >
          Take them up
        </Button>
        <Button size="compact-md" variant="default" onClick={draft.answered}>
          Discard them
        </Button>
      </Group>
    </div>
  );
}
