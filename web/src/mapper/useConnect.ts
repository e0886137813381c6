import { useCallback, useEffect, useState } from 'react';
import type { ConnectAnswer, ConnectResult, Question, Refusal } from '../core/model';
import { connect, disconnect, setConstant } from '../core/rules';
import type { Editor } from './useEditor';
import type { Trees } from './useView';

const KEEPS_PICK = '[data-panel], [data-search], section[aria-label=Inspector]';

/** A link that needs an answer before it is made. */
export interface Asked {
  source: string;
  target: string;
  combine: boolean;
  result: Question | Refusal;
}

/** The one way to link, for drag, click and keyboard; and what came of it. */
export function useConnect(editor: Editor, trees: Trees) {
  const [picked, setPicked] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const { state, readOnly, edit, tell } = editor;

  const finish = useCallback(
    (result: ConnectResult, ends: Omit<Asked, 'result'>) => {
      if (result.kind === 'done') {
        setAsked(null);
        edit(result.state, result.announcement);
        return;
      }
      setAsked({ ...ends, result });
      tell(result.kind === 'question' ? result.question.text : result.refusal);
    },
    [edit, tell],
  );
  const link = useCallback(
    (sourceId: string, targetId: string, combine: boolean, answer?: ConnectAnswer) => {
      const source = trees.sourceById.get(sourceId);
      const target = trees.targetById.get(targetId);
      setPicked(null);
      if (readOnly || source === undefined || target === undefined) return;
      const options = { combine, ...(answer === undefined ? {} : { answer }) };
      finish(connect(state, source, target, options), {
        source: sourceId,
        target: targetId,
        combine,
      });
    },
    [trees, readOnly, state, finish],
  );
  const answer = useCallback(
    (given: ConnectAnswer) => {
      if (asked !== null) link(asked.source, asked.target, asked.combine, given);
    },
    [asked, link],
  );
  const pick = useCallback(
    (id: string) => {
      if (readOnly) return;
      const node = trees.sourceById.get(id);
      setAsked(null);
      setPicked((before) => (before === id ? null : id));
      if (picked !== id) tell(`Picked ${node?.path ?? ''}. Choose a target, or press Escape.`);
    },
    [readOnly, trees, picked, tell],
  );
  const drop = useCallback(() => {
    setPicked(null);
    setAsked(null);
  }, []);
  // Any other press than on a row drops what was picked up.
  useEffect(() => {
    if (picked === null) return;
    const pressed = ({ target }: MouseEvent) => {
      const isRow = target instanceof Element && target.closest(KEEPS_PICK) !== null;
      if (!isRow) setPicked(null);
    };
    document.addEventListener('click', pressed);
    return () => document.removeEventListener('click', pressed);
  }, [picked]);
  const unlink = useCallback(
    (targetId: string) => {
      const target = trees.targetById.get(targetId);
      if (readOnly || target === undefined) return;
      const done = disconnect(state, target);
      if (done.state !== state && done.announcement !== '') edit(done.state, done.announcement);
    },
    [readOnly, trees, state, edit],
  );
  const constant = useCallback(
    (targetId: string, value: string) => {
      const target = trees.targetById.get(targetId);
      if (readOnly || target === undefined) return;
      const result = setConstant(state, target, value);
      if (result.kind === 'done') edit(result.state, result.announcement);
      else tell(result.kind === 'refusal' ? result.refusal : result.question.text);
    },
    [readOnly, trees, state, edit, tell],
  );
  return { picked, asked, link, answer, pick, drop, unlink, constant };
}

export type Connecting = ReturnType<typeof useConnect>;
