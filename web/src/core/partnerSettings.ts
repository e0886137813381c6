/**
 * What can be agreed with a partner about documents: each setting with its default, its meaning and
 * how it is entered. The service has the same table; a test compares both.
 */

export type SettingKind =
  | { as: 'flag' }
  | { as: 'choice'; among: readonly { value: string; label: string }[]; none?: string }
  | { as: 'number'; least: number; most: number; none?: string }
  | { as: 'text'; placeholder: string; most: number; none?: string }
  | { as: 'separators' }
  | { as: 'names'; placeholder: string; none: string }
  | { as: 'severities' };

export interface Setting {
  name: string;
  label: string;
  means: string;
  kind: SettingKind;
  /** As JSON has it. */
  default: unknown;
  /** Nothing reads it yet: any value but the default is refused. */
  isPlanned?: true;
}

export interface SettingGroup {
  title: string;
  settings: readonly Setting[];
}

const LARGEST_NUMBER = 999_999_999;
const FLAG: SettingKind = { as: 'flag' };

export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: 'What is sent',
    settings: [
      {
        name: 'separators',
        label: 'Separators',
        means: 'Separators of what is sent to the partner.',
        kind: { as: 'separators' },
        default: { elem_sep: '*', seg_term: '~', comp_sep: '>', rep_sep: '^' },
      },
      {
        name: 'fixed_separators',
        label: 'Separators are fixed',
        means: 'Whether other separators may never be chosen, even if a value holds one of these.',
        kind: FLAG,
        default: false,
      },
      {
        name: 'replace_delimiters_with',
        label: 'In place of a separator in a value',
        means:
          'What is written in place of a separator in a value where separators are fixed; without it such a value is refused.',
        kind: { as: 'text', placeholder: '-', most: 1, none: 'the value is refused' },
        default: null,
      },
      {
        name: 'timezone',
        label: 'Time zone',
        means: 'The time zone of dates and times in envelopes.',
        kind: { as: 'text', placeholder: 'America/Chicago', most: 98 },
        default: 'UTC',
      },
      {
        name: 'delivery_deadline_hours',
        label: 'Hours until delivery is given up',
        means: 'How long delivery is tried at most; without it the schedule of attempts decides.',
        kind: { as: 'number', least: 1, most: 720, none: 'by the schedule' },
        default: null,
      },
      {
        name: 'mdn_due_minutes',
        label: 'Minutes until an MDN is due',
        means: 'How long an asynchronous MDN is waited for.',
        kind: { as: 'number', least: 1, most: 10_080 },
        default: 30,
        isPlanned: true,
      },
    ],
  },
  {
    title: 'Control numbers',
    settings: [
      {
        name: 'control_min',
        label: 'Smallest control number',
        means: 'The smallest control number sent.',
        kind: { as: 'number', least: 1, most: LARGEST_NUMBER },
        default: 1,
      },
      {
        name: 'control_max',
        label: 'Largest control number',
        means: 'The largest control number sent; the smallest one follows it.',
        kind: { as: 'number', least: 1, most: LARGEST_NUMBER },
        default: LARGEST_NUMBER,
      },
      {
        name: 'st02',
        label: 'Numbers of sets',
        means: 'Whether ST02 begins at 0001 in each group.',
        kind: {
          as: 'choice',
          among: [
            { value: 'per_group', label: 'begin at 0001 in each group' },
            { value: 'continuous', label: 'count on from group to group' },
          ],
        },
        default: 'per_group',
      },
      {
        name: 'gs06_pad',
        label: 'GS06 has nine digits',
        means: 'Whether GS06 is padded to nine digits.',
        kind: FLAG,
        default: false,
      },
    ],
  },
  {
    title: 'Acknowledgements',
    settings: [
      {
        name: 'ta1',
        label: 'TA1 is sent',
        means:
          'Whether a TA1 is sent only where ISA14 asks for it, or also for a rejected interchange.',
        kind: {
          as: 'choice',
          among: [
            { value: 'on_request', label: 'where ISA14 asks for it' },
            { value: 'on_error', label: 'also for a rejected interchange' },
          ],
        },
        default: 'on_request',
      },
      {
        name: 'ack_accepted_sets',
        label: 'Accepted sets are listed',
        means: 'Whether acknowledgements list accepted sets.',
        kind: FLAG,
        default: true,
      },
      {
        name: 'reject_level',
        label: 'What rejects a set',
        means: 'Whether any error rejects a set, or only a grave one.',
        kind: {
          as: 'choice',
          among: [
            { value: 'strict', label: 'any error' },
            { value: 'lenient', label: 'a grave error' },
          ],
        },
        default: 'strict',
      },
      {
        name: 'count_mismatch',
        label: 'A wrong SE01',
        means: 'What a wrong SE01 does.',
        kind: {
          as: 'choice',
          among: [
            { value: 'reject', label: 'rejects the set' },
            { value: 'accept_with_errors', label: 'is accepted with errors' },
          ],
        },
        default: 'reject',
      },
      {
        name: 'reack_duplicates',
        label: 'Duplicates are acknowledged again',
        means: 'Whether a document received twice is acknowledged twice.',
        kind: FLAG,
        default: false,
      },
    ],
  },
  {
    title: 'What is received',
    settings: [
      {
        name: 'on_error',
        label: 'A rejected set keeps back',
        means: 'What a rejected set keeps back from being processed.',
        kind: {
          as: 'choice',
          among: [
            { value: 'split', label: 'itself alone' },
            { value: 'suspend_group', label: 'its group' },
            { value: 'suspend_interchange', label: 'its interchange' },
          ],
        },
        default: 'split',
      },
      {
        name: 'charset',
        label: 'Characters that are allowed',
        means: 'The characters that are allowed; others are errors. Without it they only warn.',
        kind: {
          as: 'choice',
          none: 'not agreed: others only warn',
          among: [
            { value: 'basic', label: 'the basic character set' },
            { value: 'extended', label: 'the extended character set' },
          ],
        },
        default: null,
      },
      {
        name: 'unknown_sets',
        label: 'Sets that were not checked',
        means:
          'What becomes of sets in which no error was found, but that were not checked, since the dictionary has no definition of them or not the guide they name: rejected, accepted, or held in quarantine with their interchange; without it, live documents are held and test documents accepted.',
        kind: {
          as: 'choice',
          none: 'live: held, test: accepted',
          among: [
            { value: 'reject', label: 'are rejected' },
            { value: 'accept', label: 'are accepted' },
            { value: 'hold', label: 'are held in quarantine' },
          ],
        },
        default: null,
      },
      {
        name: 'dup_window_days',
        label: 'Days a control number is remembered',
        means: 'How many days a control number received is remembered.',
        kind: { as: 'number', least: 1, most: 3650 },
        default: 30,
      },
      {
        name: 'duplicate_number',
        label: 'Another document under a used number',
        means:
          'What becomes of another document under a number already used; without it, live documents are rejected and test documents accepted with a warning.',
        kind: {
          as: 'choice',
          none: 'live: rejected, test: accepted with a warning',
          among: [
            { value: 'reject', label: 'is rejected' },
            { value: 'accept_warn', label: 'is accepted with a warning' },
          ],
        },
        default: null,
      },
      {
        name: 'overlays',
        label: 'Overlays',
        means: 'Changes to the dictionary that hold for the partner, in order.',
        kind: { as: 'names', placeholder: 'one name a line', none: 'none' },
        default: [],
        isPlanned: true,
      },
      {
        name: 'inbound_networks',
        label: 'Taken from',
        means:
          'Where the inbound URLs take documents from; from elsewhere they do not exist. Without one, from anywhere.',
        kind: {
          as: 'names',
          placeholder: '192.0.2.7 or 2001:db8::/48, one a line',
          none: 'anywhere',
        },
        default: [],
      },
      {
        name: 'leniency',
        label: 'Leniency',
        means: "Findings that matter more or less than usual in the partner's documents.",
        kind: { as: 'severities' },
        default: {},
      },
    ],
  },
];

export const SETTINGS: readonly Setting[] = SETTING_GROUPS.flatMap(({ settings }) => settings);
