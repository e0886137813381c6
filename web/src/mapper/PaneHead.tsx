import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../ui/Icon';
import classes from './Mapper.module.css';

export interface FilterChoice<Name extends string> {
  name: Name;
  label: string;
  count: number;
}

interface Props<Name extends string> {
  title: string;
  about: string;
  search: string;
  onSearch: (text: string) => void;
  filters: FilterChoice<Name>[];
  filter: Name;
  onFilter: (name: Name) => void;
  /** Down from the search leads into the tree. */
  onLeave: () => void;
  children?: ReactNode;
}

/** Over a tree: what it shows, its search, and its filters with their counts. */
export function PaneHead<Name extends string>(props: Props<Name>) {
  const { title, about, search, onSearch, filters, filter, onFilter, onLeave } = props;
  return (
    <div className={classes.paneHead}>
      <h2 className={classes.paneTitle}>
        {title} <span>{about}</span>
      </h2>
      <TextInput
        size="xs"
        aria-label={`Search ${title.toLowerCase()}`}
        placeholder="Search name, value, code"
        leftSection={<Icon name="search" size={14} />}
        value={search}
        data-search={title.toLowerCase()}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave();
          if (event.key === 'Escape' && search !== '') {
            event.stopPropagation();
            onSearch('');
          }
        }}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border and a legend */}
      <div className={classes.filters} role="group" aria-label={`Filter ${title.toLowerCase()}`}>
        {filters.map(({ name, label, count }) => (
          <button
            key={name}
            type="button"
            className={classes.filter}
            aria-pressed={filter === name}
            onClick={() => onFilter(name)}
          >
            {label} {count}
          </button>
        ))}
        {props.children}
      </div>
    </div>
  );
}
