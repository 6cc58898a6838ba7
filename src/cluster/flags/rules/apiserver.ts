/** Validation of the API server's flags. */
import { plugins } from '../../../admission/index.ts';
import { kinds, parseBlock } from '../../../schema/index.ts';
import { Part } from '../../../std/index.ts';
import { problemsWithRuntimeConfig, type ServedVersion } from '../runtimeConfig.ts';
import {
  cipherSuites,
  notNegative,
  notNegativeDuration,
  refuse,
  together,
  within,
  type Rule,
  type RuleInput,
} from './rule.ts';

const serving: readonly Rule[] = [
  notNegativeDuration('livez-grace-period'),
  notNegative('max-requests-inflight', 'negative value'),
  notNegative('max-mutating-requests-inflight', 'negative value'),
  notNegativeDuration('request-timeout', 'negative value'),
  within('goaway-chance', 0, 0.02, '--goaway-chance can not be less than 0 or greater than 0.02'),
  notNegative('min-request-timeout', 'negative value'),
  notNegativeDuration('shutdown-delay-duration', 'negative value'),
  refuse(
    'secure-port',
    ({ flags }) => flags.number('secure-port') < 1 || flags.number('secure-port') > 65535,
    ({ flags }) =>
      `--secure-port ${flags.get('secure-port')} must be between 1 and 65535, inclusive. It cannot be turned off with 0`,
  ),
  refuse(
    'insecure-port',
    ({ flags }) => flags.number('insecure-port') !== 0,
    ({ flags }) => `invalid port value ${flags.get('insecure-port')}: only zero is allowed`,
  ),
  refuse(
    'port',
    ({ flags }) => flags.number('port') !== 0,
    ({ flags }) => `invalid port value ${flags.get('port')}: only zero is allowed`,
  ),
  refuse(
    'apiserver-count',
    ({ flags }) => flags.number('apiserver-count') <= 0,
    ({ flags }) =>
      `--apiserver-count should be a positive number, but value '${flags.get('apiserver-count')}' provided`,
  ),
  together(
    'tls-cert-file',
    'tls-private-key-file',
    '--tls-cert-file and --tls-private-key-file have to be given together',
  ),
  cipherSuites,
];

const IDENTITY = ['identity-lease-duration-seconds', 'identity-lease-renew-interval-seconds'];

const store: readonly Rule[] = [
  ...IDENTITY.map((flag) =>
    refuse(flag, ({ flags }) => flags.number(flag) <= 0, `--${flag} should be a positive number`),
  ),
  refuse(
    'default-watch-cache-size',
    ({ flags }) => flags.number('default-watch-cache-size') < 0,
    '--default-watch-cache-size can not be negative value',
  ),
  refuse(
    'delete-collection-workers',
    ({ flags }) => flags.number('delete-collection-workers') < 1,
    '--delete-collection-workers should be a positive number',
  ),
  ({ flags }) => flags.list('watch-cache-sizes').flatMap(problemWithCacheSize),
  ({ flags }) =>
    flags
      .list('etcd-servers-overrides')
      .filter((text) => text.split('#').length !== 2 || text.split('#')[0]?.split('/').length !== 2)
      .map(() => ({
        flag: 'etcd-servers-overrides',
        message:
          '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
      })),
];

function problemWithCacheSize(text: string): ReturnType<Rule> {
  const size = Number(text.split('#')[1] ?? NaN);
  if (text === '' || (text.split('#').length === 2 && size >= 0)) return [];
  const message =
    size < 0 ? `watch cache size cannot be negative: ${text}` : `invalid value of watch cache size: ${text}`;
  return [{ flag: 'watch-cache-sizes', message }];
}

const SPECIFIED = 'service-cluster-ip-range';

const rangesOf = ({ flags }: RuleInput): string[] =>
  (flags.get(SPECIFIED) ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);

/** One range, or two if the cluster may be dual-stack. */
const services: readonly Rule[] = [
  refuse(SPECIFIED, (input) => rangesOf(input).length === 0, `no --${SPECIFIED} specified`),
  (input) => rangesOf(input).flatMap(problemWithRange),
  refuse(
    SPECIFIED,
    (input) => rangesOf(input).length > (input.gate('IPv6DualStack') ? 2 : 1),
    ({ gate }) =>
      gate('IPv6DualStack')
        ? `--${SPECIFIED} must not hold more than two ranges`
        : `--${SPECIFIED} can only hold one range, unless IPv6DualStack is on`,
  ),
  refuse(
    '{product}-service-node-port',
    (input) => badNodePort(input) !== undefined,
    (input) => badNodePort(input) ?? '',
  ),
];

function problemWithRange(text: string): ReturnType<Rule> {
  const block = parseBlock(text);
  if (!block) return [{ flag: SPECIFIED, message: `--${SPECIFIED}: invalid CIDR address: ${text}` }];
  const bits = block.address.kind() === 'ipv6' ? 128 : 32;
  return bits - block.length > 20 ? [{ flag: SPECIFIED, message: `specified --${SPECIFIED} is too large` }] : [];
}

function badNodePort({ flags, names }: RuleInput): string | undefined {
  const flag = names.fill('{product}-service-node-port');
  const port = flags.number(flag);
  if (port < 0 || port > 65535)
    return `--${flag} ${port} must be between 0 and 65535, inclusive. If 0, the ${names.Product} master service will be of type ClusterIP`;
  const [low = 0, high = 0] = (flags.get('service-node-port-range') ?? '').split('-').map(Number);
  if (port > 0 && (port < low || port > high))
    return `${names.product} service port range ${low}-${high} doesn't contain ${port}`;
  return undefined;
}

const MODES = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];
const MODE = 'authorization-mode';

const authorization: readonly Rule[] = [
  refuse(MODE, ({ flags }) => flags.list(MODE).length === 0, `at least one ${MODE} must be passed`),
  ({ flags }) =>
    flags
      .list(MODE)
      .filter((mode) => !MODES.includes(mode))
      .map((mode) => ({
        flag: MODE,
        message: `${MODE} ${JSON.stringify(mode)} is not a valid mode; there are ${MODES.join(', ')}`,
      })),
  refuse(
    MODE,
    ({ flags }) => new Set(flags.list(MODE)).size < flags.list(MODE).length,
    ({ flags }) => `${MODE} ${JSON.stringify(flags.list(MODE))} has mode specified more than once`,
  ),
  needs('ABAC', 'authorization-policy-file', `${MODE} ABAC's authorization policy file not passed`),
  needs('Webhook', 'authorization-webhook-config-file', `${MODE} Webhook's authorization config file not passed`),
  onlyWith('ABAC', 'authorization-policy-file'),
  onlyWith('Webhook', 'authorization-webhook-config-file'),
];

function needs(mode: string, flag: string, message: string): Rule {
  return refuse(flag, ({ flags }) => flags.list(MODE).includes(mode) && (flags.get(flag) ?? '') === '', message);
}

function onlyWith(mode: string, flag: string): Rule {
  return refuse(
    flag,
    ({ flags }) => !flags.list(MODE).includes(mode) && (flags.get(flag) ?? '') !== '',
    `cannot specify --${flag} without mode ${mode}`,
  );
}

/** Groups that may be named although they have no stored objects. */
const UNSTORED = ['imagepolicy.{domain}/v1alpha1'];

const ADMISSION = ['enable-admission-plugins', 'disable-admission-plugins', 'admission-control'];

const knownPlugins: Rule = ({ flags }) =>
  ADMISSION.flatMap((flag) =>
    flags
      .list(flag)
      .filter((name) => name.trim() !== '' && !plugins.some((plugin) => plugin.name === name.trim()))
      .map((name) => ({ flag, message: `--${flag}: plugin ${JSON.stringify(name)} is unknown` })),
  );

const overlapping = ({ flags }: RuleInput): string[] =>
  flags.list('enable-admission-plugins').filter((name) => flags.list('disable-admission-plugins').includes(name));

/** The setting that disables the API of priority and fairness while the feature is on. */
function fairnessOff({ flags, names, gate }: RuleInput): string | undefined {
  if (!gate('APIPriorityAndFairness') || !flags.on('enable-priority-and-fairness')) return undefined;
  const keys = [names.fill('flowcontrol.apiserver.{domain}/v1beta1'), 'api/beta', 'api/all'];
  return keys.find((key) => flags.list('runtime-config').includes(`${key}=false`));
}

const enablement: readonly Rule[] = [
  knownPlugins,
  refuse(
    'enable-admission-plugins',
    (input) => overlapping(input).length > 0,
    (input) => `[${overlapping(input).join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`,
  ),
  ({ flags, names }) => {
    const declared = kinds.flatMap((kind) =>
      kind.versions.map(({ group, version }): ServedVersion => ({
        group: names.fill((group ?? kind.group).name),
        version,
      })),
    );
    const others = UNSTORED.map((text) => names.fill(text).split('/')).map(([group = '', version = '']) => ({
      group,
      version,
    }));
    return problemsWithRuntimeConfig(flags.list('runtime-config'), [...declared, ...others]);
  },
  (input) => {
    const off = fairnessOff(input);
    const message = `${off ?? ''}=false conflicts with APIPriorityAndFairness feature gate`;
    return off === undefined ? [] : [{ flag: 'runtime-config', message }];
  },
  refuse(
    'admission-control',
    ({ flags }) =>
      flags.has('admission-control') &&
      (flags.has('enable-admission-plugins') || flags.has('disable-admission-plugins')),
    'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
  ),
];

/** The rules of flags that are seldom given (`flags/readers.ts`): without such a flag they are kept. */
export const seldomRules = new Part(() => import('./seldom.ts'));

const seldom =
  (rules: 'auditRules' | 'authenticationRules'): Rule =>
  (input) =>
    seldomRules.loaded ? seldomRules.get()[rules].flatMap((rule) => rule(input)) : [];

export const apiserverRules: readonly Rule[] = [
  ...serving,
  ...store,
  ...services,
  seldom('authenticationRules'),
  ...authorization,
  seldom('auditRules'),
  ...enablement,
];
