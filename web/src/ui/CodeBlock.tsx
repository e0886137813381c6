import type { ReactNode } from 'react';
import classes from './CodeBlock.module.css';
import { CopyButton } from './CopyButton';

interface Props {
  /** Names the block: "curl command". */
  label: string;
  text: string;
  copyable?: boolean;
  /** Instead of the plain text, where parts of it are marked. */
  children?: ReactNode;
}

/** Text of a machine, as it is: scrolls in its own frame and can be copied. */
export function CodeBlock({ label, text, copyable = true, children }: Props) {
  return (
    <div className={classes.frame}>
      {copyable && (
        <div className={classes.head}>
          <span className={classes.label}>{label}</span>
          <CopyButton text={text} />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.block} tabIndex={0} aria-label={label}>
        <pre>{children ?? text}</pre>
      </section>
    </div>
  );
}
