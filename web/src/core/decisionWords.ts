/** What a decision about interchanges is called, and what comes of it. */
import type { Decision } from './interchangeWords';

export interface DecisionWords {
  verb: string;
  /** What is told once it is done: `released`. */
  done: string;
  /** What happens, in the words for one and for several. */
  what: readonly [string, string];
}

export const DECISIONS: Readonly<Record<Decision, DecisionWords>> = {
  release: {
    verb: 'Release',
    done: 'released',
    what: [
      'It is processed as if it had come now from its partner, in spite of what it was set aside for. An acknowledgement is sent if one is due.',
      'They are processed as if they had come now from their partners, in spite of what they were set aside for. Acknowledgements are sent where due.',
    ],
  },
  discard: {
    verb: 'Discard',
    done: 'discarded',
    what: [
      'Nothing will become of it: what it holds is never processed, and no acknowledgement says so. Its bytes are kept. There is no way back.',
      'Nothing will become of them: what they hold is never processed, and no acknowledgement says so. Their bytes are kept. There is no way back.',
    ],
  },
  replay: {
    verb: 'Replay',
    done: 'processed again',
    what: [
      'It is processed again from its stored bytes, such as after a map was corrected. Its transactions keep their ids and get new results.',
      'They are processed again from their stored bytes.',
    ],
  },
};
