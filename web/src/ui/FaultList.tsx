import { isApiError } from '../api/error';
import { placeInWords } from '../core/inspection';
import classes from './FaultList.module.css';

/** Every fault of a refusal: where it is, what it is, what would be allowed. */
export function FaultList({ error }: { error: unknown }) {
  const details = isApiError(error) ? error.details : [];
  if (details.length === 0) return null;
  return (
    <ul className={classes.faults} aria-label="Faults">
      {details.map(({ param, message, offset, line, allowed }, index) => {
        const place = placeInWords(offset ?? null, line ?? null);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a refusal never change
          <li key={index}>
            {param !== undefined && <code>{param}</code>} {message}
            {place !== '' && <span className={classes.place}> ({place})</span>}
            {allowed !== undefined && <span> Allowed: {allowed.join(', ')}</span>}
          </li>
        );
      })}
    </ul>
  );
}
