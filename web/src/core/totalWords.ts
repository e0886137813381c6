/** How many fit a list: "120", or "more than 10,000" where the service counted no further. */
export function totalWords(list: { total: number; total_is_exact?: boolean }): string {
  const total = list.total.toLocaleString('en');
  return list.total_is_exact === false ? `more than ${total}` : total;
}
