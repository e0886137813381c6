import { Button, Menu, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { visibleText } from '../core/visible';
import { FailedText } from '../ui/FailedText';
import { Icon } from '../ui/Icon';
import { TextLink } from '../ui/TextLink';
import { Time } from '../ui/Time';
import { MapMenu } from './MapMenu';
import classes from './Mapper.module.css';
import { useTyped } from './typed';
import type { MapperState } from './useMapper';
import type { Page } from './usePage';
import type { Saving } from './useSave';
import type { Width } from './useWidth';

interface Props {
  mapper: MapperState;
  saving: Saving;
  page: Page;
  width: Width;
}

/** Name, version and state of the map, and everything that is done to the whole of it. */
export function Header({ mapper, saving, page, width }: Props) {
  const { editor } = mapper;
  return (
    <div className={classes.head}>
      <h1 className={classes.title}>
        <TextLink to="/app/maps">Maps</TextLink>
        <span aria-hidden="true">/</span>
        <Name mapper={mapper} />
      </h1>
      <SaveState mapper={mapper} saving={saving} />
      <span className={classes.grow} />
      {width !== 'wide' && (
        <SegmentedControl
          size="xs"
          aria-label="Part of the page"
          data={[
            { value: 'map', label: 'Fields' },
            { value: 'side', label: 'Rule and output' },
          ]}
          value={page.part}
          onChange={(part) => page.setPart(part === 'side' ? 'side' : 'map')}
        />
      )}
      <Button
        size="compact-md"
        variant="default"
        aria-label="Undo"
        title={editor.canUndo ? `Undo: ${editor.undoLabel}` : 'Nothing to undo'}
        disabled={!editor.canUndo}
        onClick={editor.undo}
      >
        <Icon name="undo" size={16} />
      </Button>
      <Button
        size="compact-md"
        variant="default"
        aria-label="Redo"
        title={editor.canRedo ? `Redo: ${editor.redoLabel}` : 'Nothing to redo'}
        disabled={!editor.canRedo}
        onClick={editor.redo}
      >
        <Icon name="redo" size={16} />
      </Button>
      <SuggestMenu mapper={mapper} />
      <Button size="compact-md" variant="default" onClick={() => page.setView('code')}>
        Code
      </Button>
      <Button
        size="compact-md"
        variant="default"
        disabled={editor.base === null}
        onClick={() => page.setView('history')}
      >
        History
      </Button>
      <Button
        size="compact-md"
        variant="default"
        disabled={editor.base === null}
        title={editor.base === null ? 'Save the map first' : 'Call it from a program'}
        onClick={() => page.setView('use')}
      >
        Use it
      </Button>
      <MapMenu mapper={mapper} page={page} />
      <Button
        size="compact-md"
        loading={saving.status === 'saving'}
        disabled={editor.readOnly || !editor.dirty}
        onClick={() => void saving.save()}
      >
        Save
      </Button>
    </div>
  );
}

function Name({ mapper }: { mapper: MapperState }) {
  const { state, edit, readOnly } = mapper.editor;
  const [typed, setTyped] = useState<string | null>(null);
  const shown = state.name === '' ? 'New map' : state.name;
  const commit = () => {
    const name = (typed ?? '').trim();
    setTyped(null);
    if (name !== '' && name !== state.name) edit({ ...state, name }, `Renamed the map to ${name}`);
  };
  useTyped(typed !== null && !readOnly, commit);
  if (typed === null || readOnly) {
    return (
      <button
        type="button"
        className={classes.nameButton}
        aria-label={`Name: ${shown}`}
        title={readOnly ? shown : 'Rename'}
        disabled={readOnly}
        onClick={() => setTyped(state.name)}
      >
        {visibleText(shown)}
      </button>
    );
  }
  return (
    <TextInput
      size="xs"
      aria-label="Name of the map"
      autoFocus
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}

function SaveState({ mapper, saving }: { mapper: MapperState; saving: Saving }) {
  const { base, dirty, readOnly, isViewer } = mapper.editor;
  if (readOnly) {
    return (
      <span className={classes.state} data-state="locked">
        <Icon name="lock" size={14} /> v{base?.version} ·{' '}
        {isViewer
          ? 'Your role is viewer: only editors and owners can change maps'
          : 'Locked: duplicate it to change it'}
      </span>
    );
  }
  const version = base === null ? '' : `v${base.version} · `;
  if (saving.status === 'saving') return <State name="saving">{version}Saving</State>;
  if (saving.status === 'conflict') return <State name="conflict">{version}Conflict</State>;
  if (saving.status === 'failed' && dirty)
    return <State name="failed">{version}Not saved: saving failed</State>;
  if (dirty) return <State name="unsaved">{version}Unsaved</State>;
  return (
    <State name="saved">
      {version}Saved <Time value={base?.savedAt ?? null} />
    </State>
  );
}

function State({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <span className={classes.state} data-state={name}>
      {children}
    </span>
  );
}

function SuggestMenu({ mapper }: { mapper: MapperState }) {
  const { offers, suggestions, editor, lineage } = mapper;
  const open = [...offers.values()];
  const groups = new Map<string, typeof open>();
  for (const each of open) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  const unused = lineage.unused.size;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          size="compact-md"
          variant="default"
          leftSection={<Icon name="spark" size={14} />}
          loading={suggestions.isLoading}
        >
          {suggestions.error === null ? `Suggest ${open.length}` : 'Suggest: failed'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {suggestions.error !== null ? (
            <FailedText error={suggestions.error} why={`Failed: ${suggestions.error.message}`} />
          ) : open.length === 0 ? (
            'There are no suggestions.'
          ) : (
            'Each row shows the reason for its suggestion.'
          )}
        </Menu.Label>
        <Menu.Item
          disabled={editor.readOnly || open.length === 0}
          onClick={() => suggestions.accept(open)}
        >
          Accept all {open.length}
        </Menu.Item>
        {groups.size > 1 &&
          [...groups].map(([group, list]) => (
            <Menu.Item
              key={group}
              disabled={editor.readOnly}
              onClick={() => suggestions.accept(list)}
            >
              Accept group {group}, {list.length}
            </Menu.Item>
          ))}
        <Menu.Item disabled={editor.readOnly} onClick={() => void suggestions.refetch()}>
          Suggest again
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{unused} fields of the sample are unused</Menu.Label>
        <Menu.Item disabled={unused === 0} onClick={() => mapper.sourceSide.setFilter('unused')}>
          Show unused fields
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
