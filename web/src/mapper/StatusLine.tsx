import { Button } from '@mantine/core';
import { visibleText } from '../core/visible';
import classes from './Mapper.module.css';
import type { MapperState } from './useMapper';

/** What was last done, and the way back from it. */
export function StatusLine({ mapper, narrow }: { mapper: MapperState; narrow: boolean }) {
  const { notice, undo, canUndo } = mapper.editor;
  return (
    <div className={classes.status}>
      {notice === null ? (
        <span className={classes.statusText}>
          {narrow
            ? 'Tap a target field to choose its source.'
            : 'Drag a source field to a target field, or press ? for the keys.'}
        </span>
      ) : (
        <>
          <span className={classes.statusText} data-notice>
            {visibleText(notice.text)}
          </span>
          {notice.undo && canUndo && (
            <Button size="compact-sm" variant="subtle" onClick={undo}>
              Undo
            </Button>
          )}
        </>
      )}
    </div>
  );
}
