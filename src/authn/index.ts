/** Telling who asks: one file per method, and `chain.ts`, which asks them in order. */
export type * from './types.ts';
export { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED } from './groups.ts';
export {
  bootstrapSecretName,
  bootstrapSecretType,
  bootstrapTokenExpiry,
  isBootstrapTokenExpired,
  parseBootstrapToken,
} from './bootstrapToken.ts';
export { createAuthentication } from './chain.ts';
export type { AuthenticationChain, AuthenticationConfig } from './chain.ts';
export { impersonationHeaders, impersonationOf } from './impersonation.ts';
export type { Impersonated, Impersonation } from './impersonation.ts';
export { oidcProblem } from './oidcProblem.ts';
export { authenticationParts } from './parts.ts';
export { AnswerCache, post, postJson, readEndpoint, RemoteConfigError } from './remote.ts';
export type { Backoff, RemoteDeps, RemoteEndpoint, RemoteFetch, Trust } from './remote.ts';
export { extraOf, headerValues, identityHeaders } from './requestHeader.ts';
export { SECRET_HEADERS } from './secretHeaders.ts';
export { equalSecrets, textOfData } from './secrets.ts';
export { simulatedIssuer } from './simulatedIssuer.ts';
export { SIMULATED_ISSUER } from './simulatedIssuerUrl.ts';
export type { IdTokenWish, SimulatedIssuer } from './simulatedIssuer.ts';
export type { TokenObjects } from './serviceAccount/validator.ts';
export { discoveryDocument, keySetDocument } from './serviceAccount/issuer.ts';
export type { AccountIssuer } from './serviceAccount/issuer.ts';
export { readSigningKey, readVerifyKeys } from './serviceAccount/keys.ts';
export type { SigningKey, VerifyKey } from './serviceAccount/keys.ts';
export { accountGroups, accountUsername, splitAccountUsername } from './serviceAccount/names.ts';
export type { AccountName, BoundRef } from './serviceAccount/names.ts';
export { tokenMaker } from './serviceAccount/tokens.ts';
export type { BoundTokenRequest, TokenMaker } from './serviceAccount/tokens.ts';
export { tokenFile, TokenFileError } from './tokenFile.ts';
export { createAuthorityFiles, openAuthority } from './x509/authority.ts';
export type { Authority, AuthorityDeps, AuthorityFiles } from './x509/authority.ts';
export { readCertificate, readSigningRequest } from './x509/certificate.ts';
export { loadX509, x509Loaded } from './x509/library.ts';
export type { AltNames, CertificateView, SigningRequestView } from './x509/certificate.ts';
export { exportPrivateKey, exportPublicKey, generateKeys, importPrivateKey, importPublicKeys } from './x509/keys.ts';
export type { KeyKind } from './x509/keys.ts';
export { decodePem, encodePem, pemBodies } from './x509/pem.ts';
export { usageNames } from './x509/usages.ts';
export { certificateVerifier } from './x509/verify.ts';
export type { CertificateVerifier, Purpose, Verification } from './x509/verify.ts';
export { certificateExpiration } from './metrics.ts';
