import { MergeDialog, type SideWords } from './MergeDialog';
import type { MapperState } from './useMapper';
import type { Saving } from './useSave';

const WORDS: SideWords = {
  mine: 'Mine',
  theirs: 'Theirs',
  allOfMine: 'Keep all of mine',
  allOfTheirs: 'Take all of theirs',
};

/** Somebody else saved meanwhile: both versions become one, or one of them is chosen. */
export function ConflictDialog({ mapper, saving }: { mapper: MapperState; saving: Saving }) {
  const { theirs, leave } = saving;
  const { base, state, rebase } = mapper.editor;
  if (theirs === null || base === null) return null;
  return (
    <MergeDialog
      title="Another user saved this map"
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
