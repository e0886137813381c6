import { acknowledgementCodes, placeInWords } from '../../core/inspection';
import { StatusBadge, type Tone } from '../../ui/StatusBadge';
import { VisibleText } from '../../ui/VisibleText';
import classes from './Inspect.module.css';
import type { Finding } from './queries';

const SEVERITIES: Record<Finding['severity'], { tone: Tone; word: string }> = {
  error: { tone: 'err', word: 'Error' },
  warning: { tone: 'warn', word: 'Warning' },
  info: { tone: 'plain', word: 'Note' },
};

/** A finding in words: how bad, what, where, what would be allowed, what it is acknowledged with. */
export function FindingWords({ finding }: { finding: Finding }) {
  const { tone, word } = SEVERITIES[finding.severity];
  const place = placeInWords(finding.offset, finding.line);
  const codes = acknowledgementCodes(finding.ack_code);
  return (
    <div className={classes.finding}>
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <div className={classes.findingWords}>
        <p>
          {finding.path !== null && (
            <>
              <code>
                <VisibleText text={finding.path} />
              </code>
              {': '}
            </>
          )}
          {finding.message}
        </p>
        {finding.allowed !== null && finding.allowed.length > 0 && (
          <p>
            Allowed: <code>{finding.allowed.join(', ')}</code>
          </p>
        )}
        <p className={classes.findingPlace}>
          {place !== '' && <span>{place}</span>}
          <span>
            <code>{finding.code}</code>
          </span>
          {finding.layer !== 'standard' && <span>by {finding.layer}</span>}
          {codes !== '' && <span>acknowledged as {codes}</span>}
        </p>
      </div>
    </div>
  );
}
