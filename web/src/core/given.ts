/** What filters become as parameters of a request: what is not given is left out, a number is a text. */
export type Given<Filters> = {
  [Name in keyof Filters]?: Exclude<Filters[Name], undefined> extends number | true
    ? string
    : Exclude<Filters[Name], undefined>;
};

export function given<Filters extends object>(filters: Filters): Given<Filters> {
  const pairs: string[][] = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(pairs);
}
