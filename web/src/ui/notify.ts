/** What happened, reported twice: shown for some seconds, and announced by the live region. */
import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { isApiError } from '../api/error';
import { FailedText } from './FailedText';
import { announce } from './LiveRegion';

const SHOWN_MS = 12_000;

/** Something went as asked. */
export function notifyDone(message: string): void {
  announce(message);
  notifications.show({ message, color: 'green', withBorder: true });
}

/** Something failed; the text says what to do, and when it can be tried again. */
export function notifyFailed(what: string, error: unknown): void {
  const why = error instanceof Error ? error.message : '';
  const wait = isApiError(error) ? (error.retryAfter ?? 0) : 0;
  announce(`${what} ${why}${wait > 0 ? ` Available again in ${wait} s.` : ''}`);
  notifications.show({
    title: what,
    message: createElement(FailedText, { error, why }),
    color: 'red',
    withBorder: true,
    autoClose: Math.max(SHOWN_MS, wait * 1000 + SHOWN_MS / 2),
  });
}
