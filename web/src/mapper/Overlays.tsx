import { Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { filesOf } from '../api/files';
import { Loading } from '../ui/States';
import { AddCode } from './AddCode';
import { AddDocument } from './AddDocument';
import { KeySheet } from './KeySheet';
import { LeaveDialog } from './LeaveDialog';
import { SourcePicker } from './SourcePicker';
import { hasTyped, takeUp, useSaveTyped } from './typed';
import type { Leaving } from './useLeaving';
import type { MapperState } from './useMapper';
import type { Page, ViewName } from './usePage';
import type { Saving } from './useSave';

// Seldom opened: they come when they are.
const ConflictDialog = lazy(
  filesOf(async () => ({ default: (await import('./ConflictDialog')).ConflictDialog })),
);
const CodeView = lazy(filesOf(async () => ({ default: (await import('./CodeView')).CodeView })));
const HistoryView = lazy(
  filesOf(async () => ({ default: (await import('./HistoryView')).HistoryView })),
);
const ReplayView = lazy(
  filesOf(async () => ({ default: (await import('./ReplayView')).ReplayView })),
);
const SettingsView = lazy(
  filesOf(async () => ({ default: (await import('./SettingsView')).SettingsView })),
);
const UseIt = lazy(filesOf(async () => ({ default: (await import('./UseIt')).UseIt })));

interface Props {
  mapper: MapperState;
  page: Page;
  saving: Saving;
  leaving: Leaving;
}

const TITLES: Record<ViewName, string> = {
  code: 'Rules as code',
  history: 'History',
  use: 'Use it',
  replay: 'Replay stored documents',
  settings: 'Settings and lookups',
};

/** Everything that lies over the page. */
export function Overlays({ mapper, page, saving, leaving }: Props) {
  const { view, sheet } = page;
  const save = useSaveTyped(saving);
  useTypedGuard(mapper.editor.dirty);
  return (
    <>
      <Modal
        opened={view !== null}
        onClose={() => {
          if (takeUp()) page.setView(null);
        }}
        title={view === null ? '' : TITLES[view]}
        size="min(960px, 94vw)"
      >
        <Suspense fallback={<Loading />}>
          {view !== null && <View view={view} mapper={mapper} page={page} />}
        </Suspense>
      </Modal>
      <Modal
        opened={sheet === 'keys'}
        onClose={() => page.setSheet(null)}
        title="Keyboard"
        size="lg"
      >
        <KeySheet />
      </Modal>
      <Modal
        opened={sheet === 'add-document'}
        onClose={() => page.setSheet(null)}
        title="Another document"
        size="lg"
      >
        <AddDocument mapper={mapper} onDone={() => page.setSheet(null)} />
      </Modal>
      <Modal
        opened={sheet === 'source'}
        onClose={() => page.setSheet(null)}
        title="Choose a source"
        size="lg"
      >
        <SourcePicker mapper={mapper} onDone={() => page.setSheet(null)} />
      </Modal>
      <Modal
        opened={page.codeFor !== null}
        onClose={() => page.setCodeFor(null)}
        title="A code that is not in the sample"
      >
        {page.codeFor !== null && (
          <AddCode mapper={mapper} group={page.codeFor} onDone={() => page.setCodeFor(null)} />
        )}
      </Modal>
      {saving.theirs !== null && (
        <Suspense fallback={null}>
          <ConflictDialog mapper={mapper} saving={saving} />
        </Suspense>
      )}
      <LeaveDialog leaving={leaving} saving={{ ...saving, save }} />
    </>
  );
}

/** Leaving takes up what is typed and stays: then there are changes, and those are asked about. */
function useTypedGuard(dirty: boolean) {
  useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (!hasTyped()) return false;
      // Back closes a dialog: its text becomes part of the map first, or keeps it open.
      if (current.pathname === next.pathname) return !takeUp();
      if (!dirty) takeUp();
      return !dirty;
    },
    enableBeforeUnload: hasTyped,
  });
}

function View({
  view,
  mapper,
  page,
}: {
  view: ViewName;
  mapper: MapperState;
  page: Page;
}): ReactNode {
  const { editor, documents } = mapper;
  const { state, base } = editor;
  switch (view) {
    case 'code':
      return (
        <CodeView
          rules={state.field_map}
          readOnly={editor.readOnly}
          onRules={(field_map) => editor.edit({ ...state, field_map }, 'Changed the rules as code')}
        />
      );
    case 'settings':
      return <SettingsView editor={editor} />;
    case 'history':
      return base === null ? <NotSaved /> : <HistoryView mapper={mapper} base={base} page={page} />;
    case 'replay':
      return base === null ? <NotSaved /> : <ReplayView editor={editor} base={base} />;
    case 'use':
      return base === null ? (
        <NotSaved />
      ) : (
        <UseIt
          mapId={base.id}
          document={documents.shown?.document ?? ''}
          sourceFormat={state.source_fmt}
          targetFormat={state.target_fmt}
          dirty={editor.dirty}
        />
      );
  }
}

function NotSaved() {
  return <p>Save the map first.</p>;
}
