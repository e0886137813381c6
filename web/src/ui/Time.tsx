import { absoluteTime, relativeTime, utcMillis } from '../core/time';
import { useTicking } from './useTicking';

interface Props {
  /** UTC, as the service writes it; null shows `none`. */
  value: string | null | undefined;
  none?: string;
}

/** A time as people say it, kept up to date; the exact one stands in its title. */
export function Time({ value, none = 'never' }: Props) {
  useTicking();
  const millis = value ? utcMillis(value) : null;
  if (millis === null) return <span>{none}</span>;
  return (
    <time dateTime={new Date(millis).toISOString()} title={absoluteTime(millis)}>
      {relativeTime(millis, Date.now())}
    </time>
  );
}
