import { sizeInWords } from './textFile';

/** `48.2 KiB of 10.0 GiB (0 %)`; a limit of 0 means that there is none. */
export function storedBytesInWords(bytes: number, limit: number): string {
  return ofLimit(sizeInWords(bytes), limit === 0 ? null : sizeInWords(limit), bytes, limit);
}

/** `1,204 of 1,500 (80 %)`; a limit of 0 means that there is none. */
export function storedRecordsInWords(count: number, limit: number): string {
  const most = limit === 0 ? null : limit.toLocaleString('en');
  return ofLimit(count.toLocaleString('en'), most, count, limit);
}

function ofLimit(used: string, most: string | null, part: number, whole: number): string {
  if (most === null) return `${used}, no limit`;
  const full = part >= whole ? '; no more are accepted' : '';
  return `${used} of ${most} (${Math.floor((100 * part) / whole)} %${full})`;
}
