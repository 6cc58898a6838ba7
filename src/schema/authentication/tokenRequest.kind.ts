import { kind } from '../define/index.ts';
import { authentication } from '../groups.ts';
import { TokenRequest } from './tokenRequest.ts';

/** Only the body of a subresource: nothing is stored under this name. */
export const tokenrequests = kind(TokenRequest, {
  group: authentication,
  kind: 'TokenRequest',
  resource: 'tokenrequests',
  namespaced: true,
  doc: 'Asks for a token of a service account.',
  versions: [{ version: 'v1', type: TokenRequest }],
  verbs: [],
});
