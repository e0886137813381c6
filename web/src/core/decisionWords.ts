/** What a decision about interchanges is called, and what comes of it. */
import type { Decision } from './interchangeWords';

export interface DecisionWords {
  verb: string;
  /** The word for what was done: `released`. */
  done: string;
  /** What happens, in the words for one and for several. */
  what: readonly [string, string];
}

export const DECISIONS: Readonly<Record<Decision, DecisionWords>> = {
  release: {
    verb: 'Release',
    done: 'released',
    what: [
      'It is processed as if the partner had just sent it, despite the reason for the quarantine. An acknowledgement is sent if one is due.',
      'They are processed as if the partners had just sent them, despite the reasons for the quarantine. Acknowledgements are sent if they are due.',
    ],
  },
  discard: {
    verb: 'Discard',
    done: 'discarded',
    what: [
      'Its contents are never processed and no acknowledgement is sent. Its bytes stay stored. This cannot be undone.',
      'Their contents are never processed and no acknowledgements are sent. Their bytes stay stored. This cannot be undone.',
    ],
  },
  replay: {
    verb: 'Replay',
    done: 'processed again',
    what: [
      'It is processed again from its stored bytes, for example after a map was fixed. Its transactions keep their ids and get new results.',
      'They are processed again from their stored bytes.',
    ],
  },
};
