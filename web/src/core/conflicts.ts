/**
 * Targets that exclude each other, as the server refuses them: a value where others are written
 * below, an array counted both by wildcards and by numbers, an object that is an array elsewhere.
 */

import type { Format } from './model';
import { targetSteps, unescapeName } from './paths';

/** `index`: the rule that cannot stand; `other`: the one before it that excludes it. */
export interface Conflict {
  index: number;
  other: number;
  message: string;
}

type Kind = 'name' | 'number' | 'wildcard' | 'attribute' | 'element' | 'component' | 'column';

interface Token {
  kind: Kind;
  label: string;
}

const FREE: ReadonlySet<Kind> = new Set(['attribute', 'element']);

const TOKENS: Readonly<Record<Format, (tgt: string) => Token[]>> = {
  json: jsonTokens,
  xml: xmlTokens,
  x12: x12Tokens,
  csv: (tgt) => [{ kind: 'column', label: unescapeName(tgt) }],
};

function counted(index: string): Token {
  return index === '*' ? { kind: 'wildcard', label: '*' } : { kind: 'number', label: index };
}

function jsonTokens(tgt: string): Token[] {
  return targetSteps(tgt).flatMap(({ name, indexes }) => [
    ...(name === '' ? [] : [{ kind: 'name' as const, label: unescapeName(name) }]),
    ...indexes.map(counted),
  ]);
}

function xmlTokens(tgt: string): Token[] {
  return targetSteps(tgt).flatMap(({ name, indexes }): Token[] =>
    name.startsWith('@')
      ? [{ kind: 'attribute', label: name }]
      : [{ kind: 'name', label: unescapeName(name) }, counted(indexes[0] ?? '1')],
  );
}

function x12Tokens(tgt: string): Token[] {
  let isElement = false;
  return targetSteps(tgt).flatMap(({ name, indexes }): Token[] => {
    if (!/^[0-9]/.test(name)) {
      return [{ kind: 'name', label: name }, counted(indexes[0] ?? '1')];
    }
    if (isElement) {
      return [{ kind: 'component', label: name }];
    }
    isElement = true;
    return [{ kind: 'element', label: String(Number(name)) }, counted(indexes[0] ?? '1')];
  });
}

class Place {
  rule: number | null = null;
  readonly rulesByKind = new Map<Kind, number>();
  readonly #children = new Map<string, Place>();

  child({ kind, label }: Token): Place {
    const key = `${kind} ${label}`;
    const known = this.#children.get(key) ?? new Place();
    this.#children.set(key, known);
    return known;
  }

  /** Why a way cannot go on here by a token; null if it can. */
  fault(token: Token): Omit<Conflict, 'index'> | null {
    if (token.kind === 'attribute') {
      return null;
    }
    if (this.rule !== null) {
      return {
        other: this.rule,
        message: 'Another rule writes a value to a parent of this path.',
      };
    }
    for (const [kind, other] of this.rulesByKind) {
      if (token.kind !== kind && !FREE.has(token.kind)) {
        return { other, message: messageOf(kind, token.kind) };
      }
    }
    return null;
  }
}

function messageOf(one: Kind, other: Kind): string {
  const isCounted = [one, other].every((kind) => kind === 'number' || kind === 'wildcard');
  return isCounted
    ? 'Use either [*] or numbers in one array, not both.'
    : 'Another rule writes an array where this rule writes an object, or the reverse.';
}

/** Every rule whose target one before it excludes. */
export function conflictsOf(format: Format, targets: readonly string[]): Conflict[] {
  const root = new Place();
  return targets.flatMap((tgt, index) => {
    const fault = entered(root, index, TOKENS[format](tgt));
    return fault === null ? [] : [{ index, ...fault }];
  });
}

function entered(root: Place, rule: number, tokens: Token[]): Omit<Conflict, 'index'> | null {
  let place = root;
  for (const token of tokens) {
    const fault = place.fault(token);
    if (fault !== null) {
      return fault;
    }
    if (!FREE.has(token.kind) && !place.rulesByKind.has(token.kind)) {
      place.rulesByKind.set(token.kind, rule);
    }
    place = place.child(token);
  }
  const [below] = place.rulesByKind.values();
  if (below !== undefined) {
    return { other: below, message: 'Another rule writes to a path below this value.' };
  }
  place.rule ??= rule;
  return null;
}
