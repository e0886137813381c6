import { Button, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { allRows, sampleValue } from '../core/source';
import { visibleText } from '../core/visible';
import classes from './Preview.module.css';
import type { MapperState } from './useMapper';
import { short } from './words';

const MAX_SHOWN = 100;

/** All fields of the source as a list, to link one to the selected target. */
export function SourcePicker({ mapper, onDone }: { mapper: MapperState; onDone: () => void }) {
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(MAX_SHOWN);
  const { trees, instances, connecting } = mapper;
  const { active } = mapper.targetSide.tree;
  const target = active === null ? undefined : trees.targetById.get(active);
  const found = useMemo(() => {
    const wanted = search.trim().toLocaleLowerCase();
    const fields = [...allRows(trees.source)].filter(
      (node) => node.path !== null && node.again !== true && !node.envelope,
    );
    return fields
      .map((node) => ({ node, value: sampleValue(node, instances) }))
      .filter(({ node, value }) =>
        wanted === ''
          ? value !== ''
          : [node.name, node.code, node.path ?? '', value].some((text) =>
              text.toLocaleLowerCase().includes(wanted),
            ),
      );
  }, [trees.source, instances, search]);
  return (
    <Stack gap="sm">
      <Text size="sm">For {target?.path ?? 'no row'}</Text>
      <TextInput
        aria-label="Search fields"
        placeholder="Search name, value, code"
        data-autofocus
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah="50vh">
        <ul className={classes.issues} aria-label="Source fields to choose">
          {found.slice(0, most).map(({ node, value }) => (
            <li key={node.id}>
              <button
                type="button"
                className={classes.issue}
                onClick={() => {
                  onDone();
                  if (active !== null) connecting.link(node.id, active, false);
                }}
              >
                <code>{visibleText(node.path ?? '')}</code>
                <span>
                  {visibleText(node.name)} {node.qualifier === '' ? '' : `(${node.qualifier})`}
                </span>
                <span className={classes.value}>{visibleText(short(value))}</span>
              </button>
            </li>
          ))}
        </ul>
      </ScrollArea.Autosize>
      {found.length > most && (
        <Button variant="default" size="compact-sm" onClick={() => setMost(most + MAX_SHOWN)}>
          Show {Math.min(MAX_SHOWN, found.length - most)} more of {found.length}
        </Button>
      )}
    </Stack>
  );
}
