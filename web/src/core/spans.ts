/** Where paths stand in a text. Entries may hold others; they are added in order of their starts. */

export type Span = readonly [start: number, end: number];

interface Entry {
  path: string;
  start: number;
  end: number;
  parent: number;
}

export class Spans {
  readonly #entries: Entry[] = [];
  readonly #byPath = new Map<string, Entry>();
  #open = -1;

  /** Begin an entry that holds what comes until it is closed. */
  open(path: string, start: number): void {
    this.#open = this.#put({ path, start, end: start, parent: this.#open });
  }

  /** End the entry that was opened last. */
  close(end: number): void {
    const entry = this.#entries[this.#open];
    if (entry !== undefined) {
      entry.end = end;
      this.#open = entry.parent;
    }
  }

  /** Add an entry that holds no others. */
  add(path: string, start: number, end: number): void {
    this.#put({ path, start, end, parent: this.#open });
  }

  #put(entry: Entry): number {
    if (!this.#byPath.has(entry.path)) {
      this.#byPath.set(entry.path, entry);
    }
    return this.#entries.push(entry) - 1;
  }

  /** Characters `[start, end)` of a path; null if it is not in the text. */
  spanOf(path: string): Span | null {
    const entry = this.#byPath.get(path);
    return entry === undefined ? null : [entry.start, entry.end];
  }

  /** The innermost path at a character; null if there is none. */
  pathAt(offset: number): string | null {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const isBefore = (this.#entries[middle]?.start ?? 0) <= offset;
      low = isBefore ? middle + 1 : low;
      high = isBefore ? high : middle;
    }
    let entry = this.#entries[low - 1];
    while (entry !== undefined && entry.end < offset) {
      entry = this.#entries[entry.parent];
    }
    return entry === undefined || entry.path === '' ? null : entry.path;
  }

  /** All paths, in order. */
  get paths(): string[] {
    return [...this.#byPath.keys()];
  }
}
