import { useCallback, useMemo, useReducer } from 'react';
import { useSession } from '../api/session';
import { History } from '../core/history';
import type { MapState } from '../core/model';
import { announce } from '../ui/LiveRegion';
import type { Base } from './server';

/** What the status line says; `undo`: the change it tells of can be taken back there. */
export interface Notice {
  text: string;
  undo: boolean;
}

interface EditorState {
  history: History<MapState>;
  base: Base | null;
  /** What counts as saved: of a new map what it began with. */
  saved: MapState | null;
  notice: Notice | null;
}

type Action =
  | { kind: 'edit'; state: MapState; label: string }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'tell'; text: string }
  | { kind: 'saved'; base: Base; sent: MapState }
  | { kind: 'rebase'; base: Base; state: MapState; label: string };

const REDUCERS: {
  [Kind in Action['kind']]: (
    state: EditorState,
    action: Extract<Action, { kind: Kind }>,
  ) => EditorState;
} = {
  edit: (state, { state: next, label }) => ({
    ...state,
    history: state.history.push(next, label),
    notice: { text: label, undo: true },
  }),
  undo: (state) => ({
    ...state,
    history: state.history.undo(),
    notice: { text: `Undone: ${state.history.undoLabel}`, undo: false },
  }),
  redo: (state) => ({
    ...state,
    history: state.history.redo(),
    notice: { text: `Redone: ${state.history.redoLabel}`, undo: true },
  }),
  tell: (state, { text }) => ({ ...state, notice: { text, undo: false } }),
  saved: (state, { base, sent }) => ({ ...state, base, saved: sent }),
  rebase: (state, { base, state: next, label }) => ({
    ...state,
    base,
    saved: base.state,
    history: state.history.push(next, label),
    notice: { text: label, undo: true },
  }),
};

function reduce(state: EditorState, action: Action): EditorState {
  switch (action.kind) {
    case 'edit':
      return REDUCERS.edit(state, action);
    case 'undo':
      return REDUCERS.undo(state, action);
    case 'redo':
      return REDUCERS.redo(state, action);
    case 'tell':
      return REDUCERS.tell(state, action);
    case 'saved':
      return REDUCERS.saved(state, action);
    case 'rebase':
      return REDUCERS.rebase(state, action);
  }
}

const SAVED_MEMBERS = [
  'name',
  'source_fmt',
  'target_fmt',
  'tx_set',
  'direction',
  'description',
  'field_map',
  'lookups',
  'sample',
  'target_sample',
  'tests',
] as const;

/** Members are never changed in place, so that what is the same is the same object. */
function isSame(one: MapState, other: MapState | null): boolean {
  return other !== null && SAVED_MEMBERS.every((member) => one[member] === other[member]);
}

export type Editor = ReturnType<typeof useEditor>;

/** The map while it is edited: its history, what is saved of it, and what was last done. */
export function useEditor(initial: MapState, base: Base | null) {
  const isViewer = useSession().user.role === 'viewer';
  const [{ history, base: now, saved, notice }, dispatch] = useReducer(reduce, {
    history: History.of(initial),
    base,
    saved: base === null ? null : initial,
    notice: null,
  });
  const edit = useCallback((state: MapState, label: string) => {
    dispatch({ kind: 'edit', state, label });
    announce(label);
  }, []);
  const undo = useCallback(() => {
    if (!history.canUndo) return;
    dispatch({ kind: 'undo' });
    announce(`Undone: ${history.undoLabel}`);
  }, [history]);
  const redo = useCallback(() => {
    if (!history.canRedo) return;
    dispatch({ kind: 'redo' });
    announce(`Redone: ${history.redoLabel}`);
  }, [history]);
  const tell = useCallback((text: string) => {
    dispatch({ kind: 'tell', text });
    announce(text);
  }, []);
  const wasSaved = useCallback(
    (newBase: Base, sent: MapState) => dispatch({ kind: 'saved', base: newBase, sent }),
    [],
  );
  const rebase = useCallback((newBase: Base, state: MapState, label: string) => {
    dispatch({ kind: 'rebase', base: newBase, state, label });
    announce(label);
  }, []);
  const state = history.present;
  const dirty = !isSame(state, saved);
  return useMemo(
    () => ({
      /** What the page began with. */
      first: initial,
      state,
      base: now,
      dirty,
      readOnly: isViewer || now?.locked === true,
      isViewer,
      notice,
      canUndo: history.canUndo,
      canRedo: history.canRedo,
      undoLabel: history.undoLabel,
      redoLabel: history.redoLabel,
      edit,
      undo,
      redo,
      tell,
      wasSaved,
      rebase,
    }),
    [
      initial,
      state,
      now,
      dirty,
      isViewer,
      notice,
      history,
      edit,
      undo,
      redo,
      tell,
      wasSaved,
      rebase,
    ],
  );
}
