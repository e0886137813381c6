/**
 * The beginning of a large X12 document, which shows its shape: the trees, suggestions and the
 * output while a map is edited need some loops, not thousands.
 */

export const SHAPE_SEGMENTS = 500;
const SHAPE_CHARS = 200_000;
const ISA_LENGTH = 106;

/** `cut`: how many segments of how many; null: the document is whole. */
export interface Shape {
  document: string;
  cut: { segments: number; of: number } | null;
}

/** The beginning of a document, with the trailers that make it an interchange again. */
export function shapeOf(document: string): Shape {
  const whole = { document, cut: null };
  const marks = separatorsOf(document);
  if (marks === null) {
    return whole;
  }
  const { element, terminator } = marks;
  const envelope = new Envelope();
  let end = 0;
  let segments = 0;
  let total = 0;
  for (let at = 0, next = document.indexOf(terminator); next >= 0; total += 1) {
    if (segments === total && segments < SHAPE_SEGMENTS && next < SHAPE_CHARS) {
      envelope.take(document.slice(at, next).trim().split(element));
      end = next + 1;
      segments += 1;
    }
    at = next + 1;
    next = document.indexOf(terminator, at);
  }
  if (segments === total || segments === 0) {
    return whole;
  }
  const trailers = envelope.trailers().map((each) => each.join(element) + terminator);
  return { document: document.slice(0, end) + trailers.join(''), cut: { segments, of: total } };
}

/** Of an interchange as it should be: ISA has a fixed length, and a group follows it. */
function separatorsOf(document: string): { element: string; terminator: string } | null {
  const start = /^\ufeff?\s*(?=ISA)/.exec(document)?.[0].length;
  if (start === undefined) {
    return null;
  }
  const element = document[start + 3] ?? '';
  const terminator = document[start + ISA_LENGTH - 1] ?? '';
  const after = document.slice(start + ISA_LENGTH, start + ISA_LENGTH + 8).trimStart();
  return after.startsWith(`GS${element}`) && element !== terminator
    ? { element, terminator }
    : null;
}

/** What is open where a document is cut. */
class Envelope {
  readonly #open: { trailer: string; number: string; count: number }[] = [];

  take(elements: readonly string[]): void {
    const [tag = ''] = elements;
    const header = HEADERS.get(tag);
    if (header !== undefined) {
      this.#inner();
      const number = elements[header.number]?.trim() ?? '';
      this.#open.push({ trailer: header.trailer, number, count: 0 });
    }
    const last = this.#open.at(-1);
    if (last?.trailer === tag) {
      this.#open.pop();
    } else if (last?.trailer === 'SE') {
      last.count += 1;
    }
  }

  /** Counts a group in its interchange, or a set in its group. */
  #inner(): void {
    const around = this.#open.at(-1);
    if (around !== undefined) {
      around.count += 1;
    }
  }

  trailers(): string[][] {
    return this.#open
      .toReversed()
      .map(({ trailer, number, count }) => [
        trailer,
        String(trailer === 'SE' ? count + 1 : count),
        number,
      ]);
  }
}

const HEADERS: ReadonlyMap<string, { trailer: string; number: number }> = new Map([
  ['ISA', { trailer: 'IEA', number: 13 }],
  ['GS', { trailer: 'GE', number: 6 }],
  ['ST', { trailer: 'SE', number: 2 }],
]);

/** Which part of a long document is used: "the first 500 of 30,118 segments". */
export function shapeWords({ segments, of }: { segments: number; of: number }): string {
  return `the first ${segments.toLocaleString('en')} of ${of.toLocaleString('en')} segments`;
}
