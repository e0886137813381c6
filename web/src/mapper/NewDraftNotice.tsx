import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../api/session';
import { counted } from '../core/treeWords';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import { Time } from '../ui/Time';
import { forgetDraft, newDraftsOf } from './drafts';
import classes from './Mapper.module.css';

/** Says, before a new map begins, which maps that were never saved have unsaved changes. */
export function NewDraftNotice() {
  const userId = useSession().user.id;
  const [kept, setKept] = useState(() => newDraftsOf(userId));
  return kept.map(({ name, draft, text }) => (
    <div key={name} role="alert" className={classes.draft}>
      <Icon name="clock" size={16} />
      <span className={classes.draftText}>
        <strong>There are unsaved changes of a new map:</strong> {visibleText(draft.name)},{' '}
        {draft.source_fmt.toUpperCase()} to {draft.target_fmt.toUpperCase()},{' '}
        {counted(draft.field_map.length, 'rule')}, stored in this browser <Time value={draft.at} />.
        Documents are not stored: choose the same document and the same target again to restore the
        changes.
      </span>
      <Button
        size="compact-md"
        variant="default"
        onClick={() => {
          forgetDraft(name, text);
          setKept((before) => before.filter((each) => each.name !== name));
        }}
      >
        Discard them
      </Button>
    </div>
  ));
}
