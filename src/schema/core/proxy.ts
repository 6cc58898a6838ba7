/** What all `proxy` subresources have in common: requests go on to whatever stands behind the object. */
export const proxy = {
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  connects: 'everything',
  query: { path: 'string' },
} as const;
