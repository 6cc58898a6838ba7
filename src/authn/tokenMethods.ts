/** Token methods except the token file. */
export { bootstrapTokens } from './bootstrapToken.ts';
export { oidc } from './oidc.ts';
export { boundTokens, legacyTokens } from './serviceAccount/authenticator.ts';
export { tokenWebhook } from './tokenWebhook.ts';
