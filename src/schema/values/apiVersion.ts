/** What an `apiVersion` such as `v1` or `apps/v1` names; the core group's name is empty. */
export function groupVersionOf(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1) };
}

/** The group in an `apiVersion`; empty for the core group. */
export const groupOf = (apiVersion: string): string => groupVersionOf(apiVersion).group;
