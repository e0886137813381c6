/** Undo and redo without limit; a history is a value, and each change gives a new one. */

interface Entry<T> {
  state: T;
  label: string;
  before: Entry<T> | null;
}

/** `present` is shown; `undoLabel` and `redoLabel` say what would be taken back or done again. */
export class History<T> {
  readonly #entry: Entry<T>;
  readonly #undone: Entry<T> | null;

  private constructor(entry: Entry<T>, undone: Entry<T> | null) {
    this.#entry = entry;
    this.#undone = undone;
  }

  /** A history that begins with a state. */
  static of<T>(initial: T): History<T> {
    return new History({ state: initial, label: '', before: null }, null);
  }

  get present(): T {
    return this.#entry.state;
  }

  get canUndo(): boolean {
    return this.#entry.before !== null;
  }

  get canRedo(): boolean {
    return this.#undone !== null;
  }

  get undoLabel(): string {
    return this.#entry.label;
  }

  get redoLabel(): string {
    return this.#undone?.label ?? '';
  }

  /** Go on to a new state; what was undone is forgotten. The same state changes nothing. */
  push(state: T, label: string): History<T> {
    return state === this.present ? this : new History({ state, label, before: this.#entry }, null);
  }

  /** Put a state in place of the present one, which stays one step. */
  replace(state: T): History<T> {
    return new History({ ...this.#entry, state }, this.#undone);
  }

  /** Take the last change back; at the beginning nothing. */
  undo(): History<T> {
    const { before, state, label } = this.#entry;
    return before === null ? this : new History(before, { state, label, before: this.#undone });
  }

  /** Do what was taken back again. */
  redo(): History<T> {
    if (this.#undone === null) {
      return this;
    }
    const { state, label, before } = this.#undone;
    return new History({ state, label, before: this.#entry }, before);
  }

  /** The labels of all changes so far, the last one first. */
  get labels(): string[] {
    const labels: string[] = [];
    for (let entry = this.#entry; entry.before !== null; entry = entry.before) {
      labels.push(entry.label);
    }
    return labels;
  }
}
