/** What a request or response is paired with, in words. */

/** How many of its trace numbers are paired, as the server tells it. */
interface Counted {
  role: string;
  number_count: number;
  paired_count: number;
}

interface Finding {
  message: string;
  element: string;
  segment_position: number | null;
}

/** `1 of 2 trace numbers answered`, `2 of 2 trace numbers found`. */
export function pairingWords({ role, number_count, paired_count }: Counted): string {
  if (number_count === 0) return 'No trace number';
  const numbers = number_count === 1 ? 'trace number' : 'trace numbers';
  const outcome = role === 'request' ? 'answered' : 'found';
  return `${paired_count} of ${number_count} ${numbers} ${outcome}`;
}

/** A finding with its place: `TRN02 in segment 5: No request that was sent has this number.` */
export function pairingFindingWords({ message, element, segment_position }: Finding): string {
  return segment_position === null
    ? message
    : `${element} in segment ${segment_position}: ${message}`;
}

/** `and 3 more` */
export function moreWords(count: number): string {
  return `and ${count} more`;
}
