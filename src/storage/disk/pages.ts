import type { Backend, Row, Table } from '../backends/backend.ts';

const PAGE_BYTES = 1 << 24;
const FIRST_PAGE = 8;
const MAX_PAGE = 1024;

/**
 * Rows with `from` <= id < `to` in order, read in pages of some megabytes; the next page is fetched while one is
 * processed.
 */
export async function* rowsOf(backend: Backend, table: Table, from = 0, to = Infinity): AsyncIterable<Row> {
  let limit = FIRST_PAGE;
  let page = await backend.read(table, from, to, limit);
  while (page.length > 0) {
    const full = page.length === limit;
    limit = nextLimit(page);
    const next = full ? backend.read(table, (page.at(-1)?.id ?? 0) + 1, to, limit) : [];
    yield* page;
    page = await next;
  }
}

/** Row sizes differ by a factor of a thousand, so the number of rows in a page is estimated from the page before. */
function nextLimit(page: readonly Row[]): number {
  const average = page.reduce((sum, row) => sum + row.bytes.length, 1) / page.length;
  return Math.min(MAX_PAGE, Math.max(FIRST_PAGE, Math.floor(PAGE_BYTES / average)));
}
