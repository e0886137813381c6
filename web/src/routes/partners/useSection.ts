import { useState } from 'react';
import type { ApiError, ErrorDetail } from '../../api/error';
import { isSame } from '../../core/record';
import { notifyDone } from '../../ui/notify';
import { type Submission, useSubmission } from '../../ui/useSubmission';
import { freshPartner, type Members, savePartner } from './changes';
import type { Partner } from './queries';

export type Faults = Readonly<Record<string, string>>;

/** What part of a partner a form is about. */
export interface Part<Values> {
  read: (partner: Partner) => Values;
  /** The members that are sent; `onto` is the partner they are sent with. */
  write: (values: Values, onto: Partner) => Members;
  /** What is wrong before anything is sent, by field. */
  check?: (values: Values) => Faults;
  /** The faults of a refusal by field. */
  facing: (details: readonly ErrorDetail[]) => Faults;
  /** Said when it is saved. */
  saved: string;
}

export interface Section<Values> {
  values: Values;
  change: (changed: Partial<Values>) => void;
  isDirty: boolean;
  faults: Faults;
  submission: Submission;
  save: () => void;
  undo: () => void;
  /** The partner as somebody else has saved it meanwhile; null: nobody has. */
  theirs: Partner | null;
  /** Whether they changed what this form is about. */
  isOverlapping: boolean;
  saveMine: () => void;
  takeTheirs: () => void;
}

/**
 * A part of a partner in a form. What is typed outlives refusals, and saves of other parts; a save
 * over what somebody else has changed meanwhile is refused, and then decided by the user.
 */
export function useSection<Values extends object>(
  partner: Partner,
  part: Part<Values>,
): Section<Values> {
  const [base, setBase] = useState(partner);
  const [values, setValues] = useState(() => part.read(partner));
  const [faults, setFaults] = useState<Faults>({});
  const [theirs, setTheirs] = useState<Partner | null>(null);
  const submission = useSubmission();
  const isDirty = !isSame(values, part.read(base));

  const adopt = (now: Partner) => {
    setBase(now);
    setValues(part.read(now));
    setFaults({});
    setTheirs(null);
  };
  if (partner.revision > base.revision && theirs === null) {
    if (!isDirty) adopt(partner);
    else if (isSame(part.read(base), part.read(partner))) setBase(partner);
  }
  const refused = (refusal: ApiError) => {
    if (refusal.code === 'edit_conflict') {
      void freshPartner(partner.id).then(setTheirs);
      return true;
    }
    const found = part.facing(refusal.details);
    setFaults(found);
    return Object.keys(found).length > 0;
  };
  const send = (onto: Partner) => {
    const found = part.check?.(values) ?? {};
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    void submission.run(async () => {
      adopt(await savePartner(onto, part.write(values, onto)));
      notifyDone(part.saved);
    }, refused);
  };
  return {
    values,
    change: (changed) => setValues((now) => ({ ...now, ...changed })),
    isDirty,
    faults,
    submission,
    save: () => send(base),
    undo: () => adopt(base),
    theirs,
    isOverlapping: theirs !== null && !isSame(part.read(base), part.read(theirs)),
    saveMine: () => theirs !== null && send(theirs),
    takeTheirs: () => theirs !== null && adopt(theirs),
  };
}
