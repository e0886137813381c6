import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { filesOf } from '../api/files';
import { type Draft, withDraft } from '../core/draft';
import type { MapState } from '../core/model';
import { counted } from '../core/treeWords';
import { Icon } from '../ui/Icon';
import { notifyFailed } from '../ui/notify';
import { Time } from '../ui/Time';
import classes from './Mapper.module.css';
import type { SideWords } from './MergeDialog';
import { mapQuery, stateOf } from './server';
import type { useDraft } from './useDraft';
import type { MapperState } from './useMapper';

const MergeDialog = lazy(
  filesOf(async () => ({ default: (await import('./MergeDialog')).MergeDialog })),
);

const WORDS: SideWords = {
  mine: 'Unsaved changes',
  theirs: 'Now',
  allOfMine: 'Restore all unsaved changes',
  allOfTheirs: 'Keep the map as it is',
};

/** What was not saved before the page went away, offered once. */
export function DraftOffer({
  mapper,
  draft,
}: {
  mapper: MapperState;
  draft: ReturnType<typeof useDraft>;
}) {
  return draft.offered === null ? null : (
    <Offer mapper={mapper} offered={draft.offered} answered={draft.answered} />
  );
}

interface Props {
  mapper: MapperState;
  offered: Draft;
  answered: () => void;
}

function Offer({ mapper, offered, answered }: Props) {
  const { state, base, canUndo, readOnly, edit } = mapper.editor;
  const [busy, setBusy] = useState(false);
  /** What the draft began from, once it has to be joined with what the map has become. */
  const [origin, setOrigin] = useState<MapState | null>(null);
  const load = useOrigin(mapper, offered);
  const older = base !== null && offered.baseVersion !== base.version;
  const finish = (next: MapState) => {
    answered();
    edit(next, 'Restored the unsaved changes');
  };
  const takeUp = async () => {
    if (!older && !canUndo) {
      finish(withDraft(state, offered));
      return;
    }
    setBusy(true);
    try {
      setOrigin(await load());
    } catch (error) {
      notifyFailed(
        'The unsaved changes could not be restored; they are still stored in this browser.',
        error,
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <div role="alert" className={classes.draft}>
      <Icon name="clock" size={16} />
      <span className={classes.draftText}>
        <strong>There are earlier unsaved changes:</strong>{' '}
        {counted(offered.field_map.length, 'rule')}, stored in this browser{' '}
        <Time value={offered.at} />.
        {older
          ? ` They are based on version ${offered.baseVersion}; this is version ${base.version}. You choose what to keep.`
          : ''}
        {readOnly ? ' The map is read-only now, so they cannot be restored; they stay stored.' : ''}
      </span>
      <Group gap="sm">
        <Button size="compact-md" loading={busy} disabled={readOnly} onClick={() => void takeUp()}>
          Restore them
        </Button>
        <Button size="compact-md" variant="default" onClick={answered}>
          Discard them
        </Button>
      </Group>
      {origin !== null && (
        <Suspense fallback={null}>
          <MergeDialog
            title="The map has changed"
            intro={
              older
                ? `The unsaved changes are based on version ${offered.baseVersion}; version ${base.version} is newer.`
                : 'The map was edited before the unsaved changes were restored.'
            }
            words={WORDS}
            base={origin}
            mine={withDraft(origin, offered)}
            theirs={state}
            allMine={withDraft(state, offered)}
            onDone={finish}
            onClose={() => setOrigin(null)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The map as it was when the draft was begun: the version it names, or what a new map begins with. */
function useOrigin(mapper: MapperState, offered: Draft): () => Promise<MapState> {
  const queries = useQueryClient();
  const { base, first } = mapper.editor;
  return async () => {
    if (base === null || offered.baseVersion === null) return first;
    if (offered.baseVersion === base.version) return base.state;
    return stateOf(await queries.fetchQuery(mapQuery(String(base.id), offered.baseVersion)));
  };
}
