/** Common to all `proxy` subresources: requests are forwarded to what the object represents. */
export const proxy = {
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  connects: 'everything',
  query: { path: 'string' },
} as const;
