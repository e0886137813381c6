import { MergeDialog, type SideWords } from './MergeDialog';
import type { Bench } from './useBench';
import type { Saving } from './useSave';

const WORDS: SideWords = {
  mine: 'Mine',
  theirs: 'Theirs',
  allOfMine: 'Keep all of mine',
  allOfTheirs: 'Take all of theirs',
};

/** Somebody else saved meanwhile: both versions become one, or one of them is chosen. */
export function ConflictDialog({ bench, saving }: { bench: Bench; saving: Saving }) {
  const { theirs, leave } = saving;
  const { base, state, rebase } = bench.editor;
  if (theirs === null || base === null) return null;
  return (
    <MergeDialog
      title="Somebody else has saved this map"
      intro={`Version ${theirs.version} was saved after your version ${base.version}.`}
      words={WORDS}
      base={base.state}
      mine={state}
      theirs={theirs.state}
      allMine={state}
      onDone={(next) => {
        rebase(theirs, next, `Merged with version ${theirs.version}`);
        leave();
      }}
      onClose={leave}
    />
  );
}
