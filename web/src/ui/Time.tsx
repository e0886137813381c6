import { absoluteTime, relativeTime, utcMillis } from '../core/time';

interface Props {
  /** UTC, as the service writes it; null shows `none`. */
  value: string | null | undefined;
  none?: string;
}

export function Time({ value, none = 'never' }: Props) {
  const millis = value ? utcMillis(value) : null;
  if (millis === null) return <span>{none}</span>;
  return (
    <time dateTime={new Date(millis).toISOString()} title={absoluteTime(millis)}>
      {relativeTime(millis, Date.now())}
    </time>
  );
}
