import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import classes from './Preview.module.css';
import type { ShownIssue } from './useIssues';
import type { MapperState } from './useMapper';

const MAX_SHOWN = 200;
const ICONS = { error: 'close', warning: 'alert', info: 'help' } as const;

/** What is wrong or doubtful; each entry leads to its row. */
export function IssuesPanel({
  mapper,
  issues,
}: {
  mapper: MapperState;
  issues: { list: ShownIssue[]; coverage: string };
}) {
  const { list, coverage } = issues;
  const [most, setMost] = useState(MAX_SHOWN);
  return (
    <div className={classes.scroll}>
      <Text size="sm" c="dimmed" pb={6}>
        {coverage}
      </Text>
      {list.length === 0 && <Text size="sm">There are no issues.</Text>}
      <ul className={classes.issues} aria-label="Issues">
        {list.slice(0, most).map((issue, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two issues may have the same text
          <li key={index}>
            <button
              type="button"
              className={classes.issue}
              data-severity={issue.severity}
              onClick={() => {
                if (issue.target !== null) mapper.targetSide.tree.reveal(issue.target);
              }}
            >
              <Icon name={ICONS[issue.severity]} size={14} label={issue.severity} />
              <span>
                {issue.place !== '' && <strong>{visibleText(issue.place)}: </strong>}
                {visibleText(issue.message)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {list.length > most && (
        <Button variant="default" size="compact-sm" onClick={() => setMost(list.length)}>
          Show {list.length - most} more
        </Button>
      )}
    </div>
  );
}
