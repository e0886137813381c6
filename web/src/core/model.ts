/**
 * The words all of core shares: rules as the server takes them, the rows of both trees, and what
 * operations on a map answer. Only types and lists of allowed words; the rules are elsewhere.
 */

export type Format = 'x12' | 'json' | 'csv' | 'xml';

/** A literal of a rule. */
export type Scalar = string | number | boolean | null;
export type Json = Scalar | Json[] | { [name: string]: Json };

export const TRANSFORMS = ['none', 'uppercase', 'lowercase', 'trim', 'date_iso'] as const;
export const VALUE_TYPES = ['string', 'number', 'integer', 'boolean', 'raw'] as const;
export const ON_MISSING = ['omit', 'null', 'empty', 'error'] as const;
export const ON_MISS = ['keep', 'omit', 'error'] as const;
/** In addition to these `join:<separator>`. */
export const ON_DUPLICATE = ['last', 'first', 'append', 'error'] as const;
export const OPERATIONS = [
  'substring',
  'pad',
  'replace',
  'split',
  'number',
  'multiply',
  'round',
  'date',
  'time',
  'default',
] as const;

export interface RuleLookup {
  table?: { [from: string]: Scalar };
  table_id?: string;
  default?: Scalar;
  on_miss?: string;
}

/** One operation of `then`; its further members depend on `op`. */
export interface Operation {
  op: string;
  [name: string]: Json;
}

/**
 * A rule as `field_map` carries it. Words such as `transform` are texts, since a map may be loaded
 * or typed that holds others; `issues` names them.
 */
export interface Rule {
  src?: string | string[];
  formula?: string;
  group?: string;
  sort?: string;
  where?: string;
  const?: Scalar;
  tgt: string;
  transform?: string;
  note?: string;
  join?: string;
  default?: Scalar;
  required?: boolean;
  on_missing?: string;
  when?: string;
  lookup?: RuleLookup;
  then?: Operation[];
  type?: string;
  on_duplicate?: string;
  [extension: `x_${string}`]: Json;
}

/** What to change of a rule; a member that is undefined is taken away. */
export type RulePatch = { [Name in keyof Rule]?: Rule[Name] | undefined };

export interface Lookup {
  name: string;
  rows: { from: string; to: string }[];
}

export interface MapTest {
  name: string;
  document: string;
  expected: string;
}

export interface MapSample {
  document: string;
  format: Format;
}

/** A map while it is edited. `rejected`: suggestions refused for good, as `rejectionKey` writes. */
export interface MapState {
  name: string;
  source_fmt: Format;
  target_fmt: Format;
  tx_set: string;
  direction: 'inbound' | 'outbound';
  description: string;
  field_map: Rule[];
  lookups: Lookup[];
  sample: MapSample | null;
  target_sample: string;
  tests: MapTest[];
  rejected: string[];
}

export interface Suggestion {
  src: string;
  tgt: string;
  transform: string;
  score: number;
  reason: string;
  group: string;
  /** What accepting it adds: several where a code says which position holds the value. */
  rules: Rule[];
}

export type Badge = 'str' | 'num' | 'date' | 'bool' | 'obj' | 'arr' | 'seg' | 'loop';

export type SourceKind =
  | 'envelope'
  | 'loop'
  | 'segment'
  | 'branch'
  | 'element'
  | 'component'
  | 'object'
  | 'array'
  | 'value'
  | 'attribute'
  | 'row'
  | 'column';

/**
 * A row of the source: a path pattern, not one place of the document.
 *
 * `path`: what a rule would name, null where there is no value to name. `loops`: for each wildcard
 * of the path (of a loop: of itself too) the text up to it, outermost first. `values`: its sample
 * values in document order, one for each instance of the loops it stands in, `''` where that has
 * none; `bindings` (as long as `values`): the 0-based ordinals of those instances, one for each
 * loop. `count`: how many instances a loop has, how many values a field has. `qualifier`: what a
 * code means that a branch stands for.
 */
export interface SourceNode {
  id: string;
  kind: SourceKind;
  badge: Badge;
  code: string;
  name: string;
  path: string | null;
  loops: string[];
  values: string[];
  bindings: number[][];
  /** As long as `values`: the keys that fields and explanations have for them, `''` if none. */
  keys: string[];
  count: number;
  required: boolean;
  envelope: boolean;
  qualifier: string;
  /** Its values are those of other branches as well. */
  again?: boolean;
  used?: never;
  children: SourceNode[];
}

export type TargetKind =
  | 'object'
  | 'array'
  | 'value'
  | 'segment'
  | 'loop'
  | 'column'
  | 'element'
  | 'attribute';

/**
 * A row of the target. `path`: what a rule would write, null where nothing can be written.
 * `arrays`: how many wildcards stand in its path, or around it. `value`: of the sample, `''` if
 * none.
 */
export interface TargetNode {
  id: string;
  kind: TargetKind;
  badge: Badge;
  code: string;
  name: string;
  path: string | null;
  arrays: number;
  required: boolean;
  value: string;
  children: TargetNode[];
}

/** What flattening needs of a node of either tree. */
export interface TreeRow<N> {
  id: string;
  code: string;
  name: string;
  path: string | null;
  children: N[];
}

/** A visible row. `expanded`: null of a leaf. `index`, `posinset`: from 0 and from 1. */
export interface Row<N> {
  node: N;
  depth: number;
  index: number;
  posinset: number;
  setsize: number;
  expanded: boolean | null;
}

/** What came back from an operation: the new state, a question, or why not. */
export interface Done {
  kind: 'done';
  state: MapState;
  announcement: string;
}

/** One way to answer; `value` is what `connect` takes as `answer`. `needsText`: with a separator. */
export interface Choice {
  value: ConnectAnswer['value'];
  label: string;
  needsText: boolean;
}

export interface ConnectAnswer {
  value: 'first' | 'last' | 'join' | 'append' | 'fix';
  /** The separator of `join`. */
  text?: string;
}

/** `choices[0]` is the default. */
export interface Question {
  kind: 'question';
  question: { text: string; choices: Choice[] };
}

/** `fix`: what would make it possible, if anything does; answer `{value: 'fix'}` does it. */
export interface Refusal {
  kind: 'refusal';
  refusal: string;
  fix?: string;
}

export type ConnectResult = Done | Question | Refusal;

/** What `connect` needs of the two ends. */
export type SourceEnd = Pick<SourceNode, 'path' | 'loops' | 'name' | 'code' | 'badge'>;
export type TargetEnd = Pick<TargetNode, 'path' | 'kind' | 'name' | 'badge'>;

/** A node of the tree that POST /api/inspect answers. */
export interface InspectNode {
  path: string;
  code: string;
  kind: string;
  name: string;
  type: string | null;
  value: string | null;
  required: boolean;
  count: number;
  qualifier: string | null;
  children: InspectNode[];
}

/** What of the answer of POST /api/inspect is used. */
export interface InspectResult {
  format: Format;
  tx_set: string;
  definition?: string;
  tree: InspectNode[];
}

/** What of `schema` of GET /api/schemas/{tx_set} is used. */
export interface SchemaPosition {
  path: string;
  segment: string;
  requirement: string;
  max: number;
  label: string | null;
  elements: object[];
  loop?: object;
  when?: object;
}

export interface Schema {
  set: string;
  positions: SchemaPosition[];
  code_lists: { [list: string]: { [code: string]: string } };
}

/** One written value of `explain.outputs`. */
export interface Explained {
  tgt: string;
  rule: number | null;
  origin: string;
  sources: { src: string; value: string }[];
  before: string | null;
  after: string;
}
