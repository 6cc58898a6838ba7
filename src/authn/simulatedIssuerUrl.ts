/** Only the simulated issuer answers here; requests never leave the cluster. */
export const SIMULATED_ISSUER = 'https://oidc.vitrine.dev';
