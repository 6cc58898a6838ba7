/**
 * Stands in for the package `tldts`, which msw's cookie jar asks for a host's registrable domain. Its list of public
 * suffixes is most of what msw weighs, and cookies play no part here: every host counts as its own domain.
 */
export function parse(host: string): { hostname: string; domain: string; publicSuffix: string } {
  return { hostname: host, domain: host, publicSuffix: '' };
}

export function getDomain(host: string): string {
  return host;
}
