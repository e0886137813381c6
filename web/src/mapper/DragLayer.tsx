import classes from './Mapper.module.css';

/** What a drag draws on; empty until there is one. */
export function DragLayer() {
  return (
    <>
      <svg className={classes.drag} aria-hidden="true" data-drag="layer">
        <path data-drag="line" d="" />
      </svg>
      <div className={classes.hint} data-drag="hint" />
    </>
  );
}
