/** The other sets in the document of a record, which must not be sent with its own. */

import { type NamedSet, namedSets, type SetIn, setsIn } from './setsIn';

/** A record of one set, or of a whole document in which none could be read. */
export interface SetRecord extends NamedSet {
  direction: 'inbound' | 'outbound';
  segment_count: number;
}

/** The sets of a text, of which the record is one; none where it has no neighbours. */
export function neighbourhood(record: SetRecord, text: string): SetIn[] {
  const isOneSet = record.tx_set !== '' || record.segment_count > 0;
  const sets = isOneSet ? setsIn(text) : [];
  return sets.length > 1 ? sets : [];
}

/** Whether only the place among the records of a document tells which of its sets a record is. */
export function hasSameControlNumbers(record: SetRecord, text: string): boolean {
  return namedSets(neighbourhood(record, text), record).length > 1;
}

/** Why nobody can tell which of the sets a record is. */
export function unclearInWords(record: SetRecord, sets: readonly SetIn[]): string {
  const named = namedSets(sets, record).length;
  const which = named > 1 ? `${named} of them match` : 'none of them matches';
  return `The whole document is shown, because it is unclear which of its ${sets.length} transaction sets this one is: ${which} the control numbers of the record.`;
}

/** Why a text must not be handed in for a record; '': it may. */
export function neighboursInWords(record: SetRecord, text: string): string {
  const { length } = neighbourhood(record, text);
  if (length === 0) return '';
  const done = record.direction === 'inbound' ? 'submitted' : 'sent';
  return `The document contains ${length} transaction sets, and this transaction is one of them. Remove the others: all of them would be ${done}.`;
}
