/** What a sample can be made of: the sets of the dictionary, in their releases and under guides. */

interface Entry {
  tx_set: string;
  name: string;
  release: string;
  guides: readonly string[];
}

interface Choice {
  value: string;
  label: string;
}

/** Each set once, by its code. */
export function setChoices(entries: readonly Entry[]): Choice[] {
  const names = new Map(entries.map(({ tx_set, name }) => [tx_set, name]));
  return [...names].map(([value, name]) => ({ value, label: `${value} ${name}` }));
}

/** The releases of a set, the newest first, each with its guides after it. */
export function definitionChoices(entries: readonly Entry[], set: string): Choice[] {
  return entries
    .filter(({ tx_set }) => tx_set === set)
    .toSorted((one, other) => other.release.localeCompare(one.release))
    .flatMap(({ release, guides }) => [
      { value: release, label: release },
      ...guides.map((guide) => ({ value: guide, label: `Guide ${guide}` })),
    ]);
}

/** A release has six digits; everything else is a guide. */
export function definitionParameters(value: string): { release?: string; guide?: string } {
  if (value === '') return {};
  return /^[0-9]{6}$/.test(value) ? { release: value } : { guide: value };
}

/** No fault, any, or a certain one by its code. */
export function faultChoices(codes: readonly string[]): Choice[] {
  const words = codes.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  return [
    { value: '', label: 'None: a valid document' },
    { value: 'any', label: 'Any, chosen by the number' },
    ...words.toSorted((one, other) => one.label.localeCompare(other.label)),
  ];
}

/** What a made sample is called where a document has a name. */
export function sampleName(sample: {
  tx_set: string;
  release: string;
  guide: string | null;
  fault: string | null;
}): string {
  const fault = sample.fault === null ? '' : ` with ${sample.fault.replaceAll('_', ' ')}`;
  return `sample ${sample.tx_set} ${sample.guide ?? sample.release}${fault}`;
}
