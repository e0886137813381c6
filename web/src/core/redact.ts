/**
 * A document without what it tells: letters become X, digits 9, everything else stays, so that its
 * structure can be shown to others. Of X12 the ids of segments stay, and codes of the dictionary.
 */

import type { InspectNode } from './model';
import type { Separators } from './segments';

/** What of a document may stay: for each segment, from 0, places such as `01` or `03.02`. */
export type UnmaskedElements = readonly ReadonlySet<string>[];

// Longer ones are no codes that the dictionary lists, whatever the type of their element says.
const CODE = /^[A-Z0-9]{1,6}$/;
// ISA11, ISA12 and ISA16 say how the document is written.
const WRITTEN = new Set(['11', '12', '16']);

/** Letters as X, digits as 9. */
export function masked(text: string): string {
  return text.replace(/\p{L}|\p{M}/gu, 'X').replace(/\p{N}/gu, '9');
}

/** Where codes stand in an inspected X12 document; the tree has its segments in order. */
export function unmaskedElements(tree: readonly InspectNode[]): UnmaskedElements {
  const found: Set<string>[] = [];
  const add = (node: InspectNode) => {
    if (node.kind === 'segment') found.push(codesOf(node));
    else for (const child of node.children) add(child);
  };
  for (const node of tree) add(node);
  return found;
}

function codesOf(segment: InspectNode): Set<string> {
  const places = new Set<string>();
  const look = (node: InspectNode) => {
    if (/^ID( |$)/.test(node.type ?? '')) {
      places.add(placeOf(node.path.slice(segment.path.length + 1)));
    }
    for (const child of node.children) look(child);
  };
  for (const node of segment.children) look(node);
  return places;
}

/** `03[2].01`, the second repetition, has the place of the first. */
function placeOf(path: string): string {
  return path.replace(/\[[0-9]+\]/g, '');
}

/** An X12 document with its values masked, but for codes; what the tree does not know is masked. */
export function redactedX12(
  text: string,
  separators: Separators,
  unmasked: UnmaskedElements,
): string {
  const { segment: terminator } = separators;
  return text
    .split(terminator)
    .map((segment, index) => redactedSegment(segment, separators, unmasked[index] ?? new Set()))
    .join(terminator);
}

function redactedSegment(
  text: string,
  separators: Separators,
  unmasked: ReadonlySet<string>,
): string {
  const { element, component, repetition } = separators;
  const [tag = '', ...elements] = text.split(element);
  const isHead = tag.trim() === 'ISA';
  const shown = elements.map((value, index) => {
    const place = String(index + 1).padStart(2, '0');
    if (isHead && WRITTEN.has(place)) return value;
    return split(value, isHead ? '' : repetition, (repeat) => {
      if (component === '' || isHead || !repeat.includes(component)) {
        return redactedValue(repeat, place, unmasked);
      }
      let position = 0;
      return split(repeat, component, (part) => {
        position += 1;
        return redactedValue(part, `${place}.${String(position).padStart(2, '0')}`, unmasked);
      });
    });
  });
  return [tag, ...shown].join(element);
}

function split(text: string, separator: string, each: (part: string) => string): string {
  if (separator === '') return each(text);
  return text.split(separator).map(each).join(separator);
}

function redactedValue(value: string, place: string, unmasked: ReadonlySet<string>): string {
  const isCode = (unmasked.has(place) || unmasked.has(`${place}.01`)) && CODE.test(value.trim());
  return isCode ? value : masked(value);
}
