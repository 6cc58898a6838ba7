/** Validation of the controller manager's flags. */
import { controllers } from '../../../controllers/index.ts';
import { parseBlock } from '../../../schema/index.ts';
import { cipherSuites, election, refuse, within, type Rule } from './rule.ts';

/**
 * Controllers of the reference without work here; their names are accepted. The cloud controllers need a cloud
 * provider, and storage versions are recorded only with their alpha API.
 */
const IDLE = ['cloud-node-lifecycle', 'route', 'storage-version-gc'];

const known = (name: string): boolean =>
  name === '*' || IDLE.includes(name) || controllers.some((controller) => controller.name === name);

const knownControllers: Rule = ({ flags }) =>
  flags
    .list('controllers')
    .map((item) => item.replace(/^-/, ''))
    .filter((name) => !known(name))
    .map((name) => ({
      flag: 'controllers',
      message: `${JSON.stringify(name)} is not in the list of known controllers`,
    }));

/** Node ranges need `--cluster-cidr`. */
const clusterCidr: Rule = ({ flags }) => {
  const given = flags.get('allocate-node-cidrs') === 'true';
  const cidrs = flags.list('cluster-cidr');
  if (!given || (cidrs.length > 0 && cidrs.every((cidr) => parseBlock(cidr)))) return [];
  return [{ flag: 'cluster-cidr', message: `invalid CIDR address: ${JSON.stringify(cidrs.join())}` }];
};

const bounded = (flag: string, most: number): Rule[] => [
  refuse(flag, ({ flags }) => flags.number(flag) < 1, `${flag} should not be less than 1, but got less`),
  refuse(
    flag,
    ({ flags }) => flags.number(flag) > most,
    ({ flags }) => `${flag} should not be more than ${most}, but got ${flags.get(flag)}`,
  ),
];

const SIGNERS = ['{agent}-serving', '{agent}-client', '{prefix}-apiserver-client', 'legacy-unknown'];

/** A certificate needs its key, and single signers exclude the shared CA. */
const signing: readonly Rule[] = [
  ...['', ...SIGNERS.map((signer) => `${signer}-`)].map((signer): Rule => ({ flags, names }) => {
    const [cert, key] = ['cert', 'key'].map((part) => names.fill(`cluster-signing-${signer}${part}-file`)) as [
      string,
      string,
    ];
    const alone = flags.has(cert) !== flags.has(key);
    return alone
      ? [{ flag: flags.has(cert) ? key : cert, message: `--${cert} and --${key} have to be given together` }]
      : [];
  }),
  ({ flags, names }) => {
    const single = SIGNERS.some((signer) => flags.has(names.fill(`cluster-signing-${signer}-cert-file`)));
    return single && flags.has('cluster-signing-cert-file')
      ? [
          {
            flag: 'cluster-signing-cert-file',
            message:
              'cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same time',
          },
        ]
      : [];
  },
];

export const controllerManagerRules: readonly Rule[] = [
  knownControllers,
  clusterCidr,
  within('secure-port', 0, 65535),
  within('port', 0, 65535),
  ...bounded('concurrent-service-endpoint-syncs', 50),
  ...bounded('max-endpoints-per-slice', 1000),
  ...bounded('mirroring-concurrent-service-endpoint-syncs', 50),
  ...bounded('mirroring-max-endpoints-per-subset', 1000),
  ...signing,
  ...election,
  cipherSuites,
];
