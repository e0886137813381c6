/** What happened, told twice: to the eye for some seconds, and to screen readers by the live region. */
import { notifications } from '@mantine/notifications';
import { isApiError } from '../api/error';
import { announce } from './LiveRegion';

/** Something went as asked. */
export function notifyDone(message: string): void {
  announce(message);
  notifications.show({ message, color: 'green', withBorder: true });
}

/** Something failed; the text says what to do. */
export function notifyFailed(what: string, error: unknown): void {
  const why = error instanceof Error ? error.message : '';
  const id = isApiError(error) && error.requestId !== '' ? ` Request ${error.requestId}.` : '';
  announce(`${what} ${why}`);
  notifications.show({
    title: what,
    message: `${why}${id}`,
    color: 'red',
    withBorder: true,
    autoClose: 12_000,
  });
}
