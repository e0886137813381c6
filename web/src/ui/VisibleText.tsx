import { Fragment } from 'react';
import { type VisiblePart, visibleParts } from '../core/visible';
import classes from './VisibleText.module.css';

/** The parts of a text, those that stand for a hidden character marked. */
export function VisibleParts({ text }: { text: string }) {
  const parts = visibleParts(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && !only.hidden) return only.text;
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    <Fragment key={index}>{shown(part)}</Fragment>
  ));
}

function shown({ text, hidden }: VisiblePart) {
  return hidden ? <span className={classes.hidden}>{text}</span> : text;
}

/**
 * Text that somebody else has written: its hidden characters are named, and its direction ends with
 * it, so that it cannot change how the page around it is read.
 */
export function VisibleText({ text }: { text: string }) {
  return (
    <bdi>
      <VisibleParts text={text} />
    </bdi>
  );
}
