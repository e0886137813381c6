/** Which rows of a list are shown: "1 to 50 of 1,234", "0 of 12" behind its end. */
export function rangeWords(
  offset: number,
  list: { count: number; total: number; total_is_exact?: boolean },
): string {
  const { count } = list;
  const number = (value: number) => value.toLocaleString('en');
  const range = count === 0 ? '0' : `${number(offset + 1)} to ${number(offset + count)}`;
  return `${range} of ${totalWords(list)}`;
}

/** How many fit a list: "120", or "more than 10,000" where the service counted no further. */
export function totalWords(list: { total: number; total_is_exact?: boolean }): string {
  const total = list.total.toLocaleString('en');
  return list.total_is_exact === false ? `more than ${total}` : total;
}
