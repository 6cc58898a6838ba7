/** How a client reaches an API server: a fetch bound to an identity. */
export type Transport = (path: string, init?: RequestInit) => Promise<Response>;
