import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useRef, useState } from 'react';
import { foundWords } from '../core/paletteWords';
import { Icon } from '../ui/Icon';
import { type Search, useFound } from './found';
import { type PaletteGroup, useFoundGroups, usePages } from './paletteRows';
import classes from './Shell.module.css';

const [store, palette] = createSpotlight();

export const openPalette = palette.open;

// What scrolls must be reachable by keyboard; the types of the list do not name what it hands on.
const REACHABLE = { viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Results' } };

/** Ctrl K or ⌘ K: every page, what is made often, and what has the name or number that is typed. */
export function CommandPalette() {
  const [typed, setTyped] = useState('');
  const search = useFound(typed);
  const pages = usePages(typed);
  const found = useFoundGroups(search, typed);
  const groups = [pages, ...found].filter(({ rows }) => rows.length > 0);
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      shortcut={['mod + K']}
      // Where it opens it stays, however much is found.
      centered={false}
      yOffset={80}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
    >
      <Spotlight.Search
        placeholder="Page, name or number"
        aria-label="Command"
        maxLength={100}
        leftSection={<Icon name="search" />}
      />
      <Rows groups={groups} typed={typed} />
      <p role="status" className={classes.paletteState}>
        {stateWords(search, count)}
      </p>
    </Spotlight.Root>
  );
}

function stateWords(search: Search, count: number): string {
  switch (search.kind) {
    case 'idle':
      return count === 0
        ? 'No page has this name. Type a second character to search everything.'
        : 'Type an order number, a control number, a partner or a map.';
    case 'searching':
      return 'Searching…';
    case 'failed':
      return `The search failed. ${search.why}`;
    case 'found':
      return foundWords(count);
  }
}

/** The rows by group; the first is chosen, so that Enter goes there. */
function Rows({ groups, typed }: { groups: PaletteGroup[]; typed: string }) {
  const list = useRef<HTMLDivElement>(null);
  const shown = groups.flatMap(({ rows }) => rows.map(({ id }) => id)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may have none chosen
  useEffect(() => {
    if (typed === '' || list.current?.querySelector('[data-selected]')) return;
    list.current?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.updateState((now) => ({ ...now, selected: 0 }));
  }, [shown, typed]);
  return (
    <Spotlight.ActionsList ref={list} {...REACHABLE}>
      {groups.map(({ name, rows }) => (
        <Spotlight.ActionsGroup key={name} label={name}>
          {rows.map(({ id, label, description, icon, go, stays }) => (
            <Spotlight.Action
              key={id}
              label={label}
              description={description}
              leftSection={icon}
              highlightQuery
              closeSpotlightOnTrigger={stays !== true}
              onClick={go}
            />
          ))}
        </Spotlight.ActionsGroup>
      ))}
    </Spotlight.ActionsList>
  );
}
