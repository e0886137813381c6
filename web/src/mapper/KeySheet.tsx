import classes from './Overlay.module.css';

const KEYS = [
  ['↑ ↓ Home End PgUp PgDn', 'Move in a tree; letters go to a name'],
  ['→ ←', 'Open and close a row, or go to its parent'],
  ['*', 'Open all rows of this level'],
  ['Enter or Space', 'Source: pick up. Target: link what was picked up, else edit the rule'],
  ['Shift Enter, or Shift while dropping', 'Link beside what is linked there'],
  ['Escape', 'Drop what was picked up'],
  ['Delete', 'Target: remove the link'],
  ['G', 'Go to the other end of the link'],
  ['F2', 'Target: change the transform'],
  ['Y and N', 'Accept and reject a suggestion'],
  ['[ and ]', 'Source: the instance of a loop before and after'],
  ['/', 'Search'],
  ['F6', 'Next panel; with Shift the one before'],
  ['Ctrl Z and Ctrl Shift Z', 'Undo and redo'],
  ['Ctrl S', 'Save'],
  ['Ctrl K', 'Command palette'],
  ['?', 'This list'],
] as const;

export function KeySheet() {
  return (
    <dl className={classes.keys}>
      {KEYS.map(([keys, what]) => (
        <div key={keys} className={classes.keyRow}>
          <dt>{keys}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
