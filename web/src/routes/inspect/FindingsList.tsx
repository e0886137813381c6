import { Button } from '@mantine/core';
import { useState } from 'react';
import { VALIDATION_STATUSES } from '../../core/statusWords';
import { TextLink } from '../../ui/TextLink';
import { FindingWords } from './FindingWords';
import classes from './Inspect.module.css';
import type { Inspection } from './queries';

const AT_ONCE = 100;

/** All findings in document order; each leads to its row. */
export function FindingsList({ result }: { result: Inspection }) {
  const [shown, setShown] = useState(AT_ONCE);
  const { findings } = result;
  const total = result.finding_count ?? findings.length;
  if (findings.length === 0) {
    return (
      <p className={classes.nothing}>
        {result.outcome === 'not_checked'
          ? VALIDATION_STATUSES.not_checked.about
          : 'No errors were found.'}
      </p>
    );
  }
  return (
    <>
      <ol className={classes.findings} aria-label="Findings">
        {findings.slice(0, shown).map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the findings of a document never change
          <li key={index}>
            <FindingWords finding={finding} />
            {finding.path !== null && (
              <TextLink
                from="/app/inspect"
                to="."
                search={(now) => ({ ...now, at: finding.path ?? '', tab: undefined })}
              >
                Go to {finding.path}
              </TextLink>
            )}
          </li>
        ))}
      </ol>
      {findings.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + AT_ONCE)}>
          Show {Math.min(AT_ONCE, findings.length - shown)} more of {findings.length}
        </Button>
      )}
      {total > findings.length && (
        <p className={classes.nothing}>
          The first {findings.length} of {total} findings are listed.
        </p>
      )}
    </>
  );
}
