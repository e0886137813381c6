import classes from './Overlay.module.css';

const KEYS = [
  ['↑ ↓ Home End PgUp PgDn', 'Move in a tree; type letters to jump to a name'],
  ['→ ←', 'Open and close a row, or go to its parent'],
  ['*', 'Open all rows of this level'],
  ['Enter or Space', 'Source: pick up a field. Target: link the picked field, or edit the rule'],
  ['Shift Enter, or Shift while dropping', 'Add a link to those that exist'],
  ['Escape', 'Release the picked field'],
  ['Delete', 'Target: remove the link'],
  ['G', 'Go to the other end of the link'],
  ['F2', 'Target: change the transform'],
  ['Y and N', 'Accept and reject a suggestion'],
  ['[ and ]', 'Source: previous and next instance of a loop'],
  ['/', 'Search'],
  ['F6', 'Next panel; with Shift the previous one'],
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
