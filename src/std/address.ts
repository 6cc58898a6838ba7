/** An address whose path and query a URL parser would not change. */
const SETTLED = /^https?:\/\/[\w.:-]+(\/[\w\-~!$&'()*+,;=:@%/.]*)(\?[\w\-.~!$&()*+,;=:@%/?]*)?$/;
/** Path segments `.` and `..`, plain or percent-encoded, which a URL parser resolves. */
const STEPS = /\/\.|%2e/i;

/**
 * Path and query of an address, as URL returns them. Skips the parser for addresses in normal form. Throws TypeError.
 */
export function pathAndQuery(address: string): { readonly pathname: string; readonly search: string } {
  const settled = SETTLED.exec(address);
  const [, pathname, search = ''] = settled ?? [];
  if (pathname === undefined || STEPS.test(pathname)) return new URL(address);
  return { pathname, search: search === '?' ? '' : search };
}
