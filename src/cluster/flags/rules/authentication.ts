/** Validation of the flags of authentication. */
import { refuse, together, type Rule } from './rule.ts';

const HOUR = 3_600_000;
const YEARS = 2 ** 32 * 1000;

export const authenticationRules: readonly Rule[] = [
  refuse(
    'service-account-issuer',
    ({ flags }) => (flags.get('service-account-issuer') ?? '') === '',
    'service-account-issuer is a required flag',
  ),
  refuse(
    'service-account-issuer',
    ({ flags }) =>
      (flags.get('service-account-issuer') ?? '').includes(':') &&
      !URL.canParse(flags.get('service-account-issuer') ?? ''),
    "service-account-issuer contained a ':' but was not a valid URL",
  ),
  refuse(
    'service-account-key-file',
    ({ flags }) => flags.list('service-account-key-file').join('') === '',
    'service-account-key-file is a required flag',
  ),
  refuse(
    'service-account-signing-key-file',
    ({ flags }) => (flags.get('service-account-signing-key-file') ?? '') === '',
    '--service-account-signing-key-file and --service-account-issuer are required flags',
  ),
  refuse(
    'service-account-jwks-uri',
    ({ flags }) => !isSecure(flags.get('service-account-jwks-uri') ?? ''),
    ({ flags }) =>
      `service-account-jwks-uri requires https scheme, parsed as: ${flags.get('service-account-jwks-uri')}`,
  ),
  refuse(
    'service-account-max-token-expiration',
    ({ flags }) => {
      const longest = flags.ms('service-account-max-token-expiration');
      return longest !== 0 && (longest < HOUR || longest > YEARS);
    },
    'the serviceaccount max expiration must be between 1 hour to 2^32 seconds',
  ),
  refuse(
    'oidc-issuer-url',
    ({ flags }) => !isSecure(flags.get('oidc-issuer-url') ?? ''),
    ({ flags }) => `oidc-issuer-url: ${JSON.stringify(flags.get('oidc-issuer-url'))} has no https scheme`,
  ),
  together('oidc-issuer-url', 'oidc-client-id', 'oidc-issuer-url and oidc-client-id should be specified together'),
  ...[
    'requestheader-username-headers',
    'requestheader-group-headers',
    'requestheader-extra-headers-prefix',
    'requestheader-allowed-names',
  ].map((flag) =>
    refuse(
      flag,
      ({ flags }) => flags.has(flag) && flags.list(flag).some((value) => value.trim() === ''),
      `empty value in ${JSON.stringify(flag)}`,
    ),
  ),
];

const isSecure = (address: string): boolean =>
  address === '' || (URL.canParse(address) && new URL(address).protocol === 'https:');
