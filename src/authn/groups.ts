/** Names of users and groups that the server assigns. */
export const ANONYMOUS = 'system:anonymous';
export const UNAUTHENTICATED = 'system:unauthenticated';
export const AUTHENTICATED = 'system:authenticated';
