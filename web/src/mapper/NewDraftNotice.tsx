import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../api/session';
import { counted } from '../core/treeWords';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import { Time } from '../ui/Time';
import { draftName, forgetDraft, readDraft } from './drafts';
import classes from './Mapper.module.css';

/** Says, before a new map begins, that the rules of one that was never saved wait for it. */
export function NewDraftNotice() {
  const name = draftName(null, useSession().user.id);
  const [kept, setKept] = useState(() => readDraft(name));
  if (kept === null) return null;
  const { draft, text } = kept;
  const formats = `${draft.source_fmt.toUpperCase()} to ${draft.target_fmt.toUpperCase()}`;
  return (
    <div role="alert" className={classes.draft}>
      <Icon name="clock" size={16} />
      <span className={classes.draftText}>
        <strong>There are unsaved changes of a new map from before:</strong>{' '}
        {visibleText(draft.name)}, {formats}, {counted(draft.field_map.length, 'rule')}, kept in
        this browser <Time value={draft.at} />. Documents are not kept: choose the document and what
        it shall become again; then the changes are offered.
      </span>
      <Button
        size="compact-md"
        variant="default"
        onClick={() => {
          forgetDraft(name, text);
          setKept(null);
        }}
      >
        Discard them
      </Button>
    </div>
  );
}
