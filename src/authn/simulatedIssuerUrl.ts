/** Nobody answers there but this issuer; no request for it ever leaves the cluster. */
export const SIMULATED_ISSUER = 'https://oidc.vitrine.dev';
