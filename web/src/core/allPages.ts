/** The longest page that the server gives. */
export const LARGEST_PAGE = 200;

/** Collect the rows of a list from all its pages; `page` fetches the rows from an offset on. */
export async function allPages<Row>(
  page: (offset: number, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const next = await page(rows.length, LARGEST_PAGE);
    rows.push(...next);
    if (next.length < LARGEST_PAGE) return rows;
  }
}
