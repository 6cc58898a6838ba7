import type { OidcOptions } from './oidc.ts';

const ASYMMETRIC = new Set(['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512']);

/** The error in the flags; undefined if they are valid. The server does not start with invalid ones. */
export function oidcProblem(options: Pick<OidcOptions, 'issuer' | 'clientId' | 'algorithms'>): string | undefined {
  if (!options.issuer.startsWith('https://'))
    return `oidc-issuer-url: ${JSON.stringify(options.issuer)} has no https scheme`;
  if (options.clientId === '') return 'oidc-client-id is required with oidc-issuer-url';
  const unknown = options.algorithms.find((algorithm) => !ASYMMETRIC.has(algorithm));
  return unknown === undefined
    ? undefined
    : `oidc-signing-algs: unsupported signing algorithm ${JSON.stringify(unknown)}`;
}
