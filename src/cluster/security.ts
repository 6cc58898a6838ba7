/** Authentication, authorization and admission from flags and files. */
import type { Access, Security } from '../apiserver/index.ts';
import { startAuthentication, type AuthenticationSettings } from './authentication.ts';
import { startAdmission, type AdmissionSettings } from './admission.ts';
import { startAuthorization, type AuthorizationSettings } from './authorization.ts';

export type SecuritySettings = AuthorizationSettings & AuthenticationSettings & AdmissionSettings;

export async function startSecurity(settings: SecuritySettings, access: Access): Promise<Security> {
  const authorization = await startAuthorization(settings, access);
  const { chain, accounts } = await startAuthentication(settings, access);
  return {
    authenticate: (request, connection) => chain.authenticate(request, connection),
    reviewToken: (token, audiences) => chain.review(token, audiences),
    accounts,
    authorize: (attributes) => authorization.chain.authorize(attributes),
    rulesFor: (user, namespace) => authorization.chain.rules(user, namespace),
    policy: authorization.policy,
    plugins: await startAdmission(settings, access, authorization.chain),
    stop: () => authorization.stop(),
  };
}
