import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Mark, TreeItem } from '../../core/documentTree';
import type { InspectNode } from '../../core/model';
import { counted, typeInWords } from '../../core/treeWords';
import { CopyButton } from '../../ui/CopyButton';
import { VisibleText } from '../../ui/VisibleText';
import { FindingWords } from './FindingWords';
import classes from './Inspect.module.css';
import type { Finding } from './queries';

const MAX_VALUE_CHARS = 200;

interface Props {
  item: TreeItem;
  mark: Mark<Finding> | undefined;
}

/** The chosen row: its value, its path, what the dictionary says of it, what is wrong with it. */
export function RowDetails({ item: { node }, mark }: Props) {
  return (
    <div className={classes.details}>
      <Title order={3} className={classes.rowTitle}>
        <code>
          <VisibleText text={node.code} />
        </code>{' '}
        {node.name}
      </Title>
      <dl className={classes.facts}>
        {node.value !== null && (
          <Fact name="Value">
            <code className={classes.value}>
              {node.value === '' ? <em>empty</em> : <VisibleText text={node.value} />}
            </code>
          </Fact>
        )}
        {node.qualifier !== null && <Fact name="Meaning">{node.qualifier}</Fact>}
        {node.path !== '' && (
          <Fact name="Path">
            <code className={classes.path}>
              <VisibleText text={node.path} />
            </code>
            <CopyButton text={node.path} what="path" />
          </Fact>
        )}
        {node.type !== null && <Fact name="Type">{typeInWords(node.type)}</Fact>}
        {node.required && <Fact name="Required">yes</Fact>}
        {node.count > 1 && <Fact name="Occurs">{counted(node.count, 'time')} side by side</Fact>}
      </dl>
      <ValuesBelow nodes={node.children} />
      {mark !== undefined && mark.own.length > 0 && (
        <ul className={classes.findings} aria-label="Findings of this row">
          {mark.own.map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the findings of a document never change
            <li key={index}>
              <FindingWords finding={finding} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A row takes as many; below it the tree tells the rest. */
const MAX_VALUES = 60;

/** What is directly below the row, such as the elements of a segment. */
function ValuesBelow({ nodes }: { nodes: readonly InspectNode[] }) {
  const shown = nodes.filter(({ value }) => value !== null).slice(0, MAX_VALUES);
  if (shown.length === 0) return null;
  return (
    <dl className={classes.below} aria-label="Values of this row">
      {shown.map(({ path, code, name, value, qualifier }) => (
        <div key={path}>
          <dt>
            <code>
              <VisibleText text={code} />
            </code>{' '}
            {name}
          </dt>
          <dd>
            <code>
              <VisibleText text={(value ?? '').slice(0, MAX_VALUE_CHARS)} />
            </code>{' '}
            {qualifier}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
