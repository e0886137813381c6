/** What the words of a trading partner mean, and what is to be done next. */

export type PartnerStatus = 'pending' | 'testing' | 'active' | 'inactive' | 'error';
export type ConnectionType = 'http' | 'as2' | 'sftp' | 'ftps' | 'mailbox' | 'simulator' | 'none';
export type ConnectionStatus =
  | 'not_configured'
  | 'unverified'
  | 'connected'
  | 'failing'
  | 'disabled';

interface Meaning {
  tone: 'ok' | 'warn' | 'err' | 'plain';
  /** As a badge has it. */
  word: string;
  /** One or two sentences. */
  means: string;
}

export const PARTNER_STATUSES: readonly PartnerStatus[] = [
  'pending',
  'testing',
  'active',
  'inactive',
  'error',
];

/** How far the trade with a partner is. */
export const STATUS_MEANING: Readonly<Record<PartnerStatus, Meaning>> = {
  pending: { tone: 'plain', word: 'Pending', means: 'No documents are exchanged yet.' },
  testing: {
    tone: 'warn',
    word: 'Testing',
    means: 'Sandbox documents are exchanged. Live ones are refused.',
  },
  active: { tone: 'ok', word: 'Active', means: 'Sandbox and live documents are exchanged.' },
  inactive: {
    tone: 'plain',
    word: 'Inactive',
    means:
      'No documents are exchanged. Queued documents are held until the partner is active again.',
  },
  error: {
    tone: 'err',
    word: 'Error',
    means:
      'A document could not be delivered. Documents are still exchanged; the next successful delivery clears this status.',
  },
};

/** What is known of a connection. */
export const CONNECTION_MEANING: Readonly<Record<ConnectionStatus, Meaning>> = {
  not_configured: {
    tone: 'plain',
    word: 'Not configured',
    means: 'There is no connection: submitted documents are held until there is one.',
  },
  unverified: { tone: 'plain', word: 'Unverified', means: 'Nothing has been sent over it yet.' },
  connected: { tone: 'ok', word: 'Connected', means: 'The last delivery succeeded.' },
  failing: { tone: 'err', word: 'Failing', means: 'The last delivery failed.' },
  disabled: {
    tone: 'err',
    word: 'Disabled',
    means:
      'The partner’s server reported that this address is gone, or showed another host key. Nothing is sent until somebody checks the connection and saves it again.',
  },
};

/**
 * What a connection means, and what comes next. `isTriedAgain`: another attempt comes by itself; null
 * while that is not known.
 */
export function connectionMeans(status: ConnectionStatus, isTriedAgain: boolean | null): string {
  const { means } = CONNECTION_MEANING[status];
  if (status !== 'failing' || isTriedAgain === null) return means;
  return isTriedAgain
    ? `${means} It will be retried.`
    : `${means} There are no more automatic attempts: open the document and retry it.`;
}

export const CONNECTION_NAMES: Readonly<Record<ConnectionType, string>> = {
  http: 'HTTP push',
  as2: 'AS2',
  sftp: 'SFTP',
  ftps: 'FTPS',
  mailbox: 'Mailbox',
  simulator: 'Simulator',
  none: 'None',
};

/** A step from one status to another; `to` null: back to the status before, which the service knows. */
export interface Move {
  to: PartnerStatus | null;
  label: string;
  /** What changes by it. */
  means: string;
}

const DEACTIVATE: Move = {
  to: 'inactive',
  label: 'Make inactive',
  means:
    'No documents are exchanged. Queued documents are held, and documents from the partner go to quarantine.',
};

/** Where a person may lead a partner to. */
export const MOVES: Readonly<Record<PartnerStatus, readonly Move[]>> = {
  pending: [
    {
      to: 'testing',
      label: 'Start testing',
      means: 'Sandbox documents are exchanged from now on.',
    },
  ],
  testing: [
    {
      to: 'active',
      label: 'Activate',
      means:
        'Live documents are exchanged from now on, over the live connection. Sandbox documents still go over the test connection, but sandbox API keys no longer see the partner.',
    },
    DEACTIVATE,
  ],
  active: [
    {
      to: 'testing',
      label: 'Return to testing',
      means: 'Live documents are refused from now on, and queued ones are held.',
    },
    DEACTIVATE,
  ],
  inactive: [
    {
      to: null,
      label: 'Reactivate',
      means: 'The partner gets its previous status, and the documents held for it are sent.',
    },
  ],
  error: [
    {
      to: 'active',
      label: 'Mark as active',
      means:
        'Use this when the cause is fixed. The next failed delivery sets the status back to error.',
    },
    DEACTIVATE,
  ],
};

/** What still stands between a partner and live documents; empty if nothing does. */
export function lacksForLive(live: ConnectionType, hasProduction: boolean): string[] {
  return [
    ...(live === 'none'
      ? ['It has no live connection: live documents are held until there is one.']
      : []),
    ...(hasProduction
      ? []
      : ['Your plan does not include production, so you have no live documents.']),
  ];
}

/** Codes of sets out of what somebody typed: `850, 855 997`. */
export function typedSets(text: string): string[] {
  return [
    ...new Set(
      text
        .toUpperCase()
        .split(/[\s,;]+/)
        .filter((each) => each !== ''),
    ),
  ];
}
