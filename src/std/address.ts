/** An address whose path and query a parser would leave as they are. */
const SETTLED = /^https?:\/\/[\w.:-]+(\/[\w\-~!$&'()*+,;=:@%/.]*)(\?[\w\-.~!$&()*+,;=:@%/?]*)?$/;
/** Steps up and down a path, which a parser takes; written out or escaped. */
const STEPS = /\/\.|%2e/i;

/** Path and query of an address, as URL tells them; what a program wrote needs no parsing for that. Throws TypeError. */
export function pathAndQuery(address: string): { readonly pathname: string; readonly search: string } {
  const settled = SETTLED.exec(address);
  const [, pathname, search = ''] = settled ?? [];
  if (pathname === undefined || STEPS.test(pathname)) return new URL(address);
  return { pathname, search: search === '?' ? '' : search };
}
