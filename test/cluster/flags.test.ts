import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { components, describeFlags, examineFlags, FlagError, readFlags } from '../../src/cluster/flags/index.ts';
import type { ComponentKey, FlagReading } from '../../src/cluster/flags/index.ts';
import { apiserver } from '../../src/cluster/flags/help/apiserver.ts';
import { controllerManager } from '../../src/cluster/flags/help/controllerManager.ts';
import { scheduler } from '../../src/cluster/flags/help/scheduler.ts';
import { shared } from '../../src/cluster/flags/help/shared.ts';
import { namesOf } from '../../src/names/index.ts';

const names = namesOf('cluster.io');
const files = { 'tokens.csv': '', 'policy.jsonl': '', 'hook.yaml': '', 'a.crt': '' };

const examine = (component: ComponentKey, ...args: string[]): FlagReading =>
  examineFlags(component, args, { names, files });

const problemsOf = (component: ComponentKey, ...args: string[]): string[] =>
  examine(component, ...args).problems.map(({ message }) => message);

describe('a value', () => {
  it.each([
    // Switches.
    [['--profiling'], 'profiling', 'true'],
    [['--profiling=t'], 'profiling', 'true'],
    [['--profiling=0'], 'profiling', 'false'],
    [['--profiling=FALSE'], 'profiling', 'false'],
    // Whole numbers, in any base by their prefix.
    [['--max-requests-inflight=10'], 'max-requests-inflight', '10'],
    [['--max-requests-inflight', '10'], 'max-requests-inflight', '10'],
    [['--max-requests-inflight=0x10'], 'max-requests-inflight', '16'],
    [['--max-requests-inflight=010'], 'max-requests-inflight', '8'],
    [['--log-file-max-size=7'], 'log-file-max-size', '7'],
    // Numbers with a fraction.
    [['--goaway-chance=.01'], 'goaway-chance', '0.01'],
    [['--goaway-chance=1e-3'], 'goaway-chance', '0.001'],
    // Durations, in their usual form.
    [['--event-ttl=90m'], 'event-ttl', '1h30m0s'],
    [['--event-ttl=0'], 'event-ttl', '0s'],
    [['--request-timeout', '1500ms'], 'request-timeout', '1.5s'],
    // Lists: repeated ones add, the first replaces the default.
    [['--authorization-mode=Node,RBAC'], 'authorization-mode', 'Node,RBAC'],
    [['--authorization-mode=Node', '--authorization-mode=RBAC'], 'authorization-mode', 'Node,RBAC'],
    [['--api-audiences=a,"b,c"'], 'api-audiences', 'a,b,c'],
    [
      ['--service-account-key-file=pki/sa.pub', '--service-account-key-file=pki/ca.crt'],
      'service-account-key-file',
      'pki/sa.pub,pki/ca.crt',
    ],
    // Pairs: a later one replaces an earlier one of its key.
    [
      ['--runtime-config=batch/v2alpha1', '--runtime-config=api/beta=false'],
      'runtime-config',
      'batch/v2alpha1=,api/beta=false',
    ],
    [['--runtime-config=api/beta=true,api/beta=false'], 'runtime-config', 'api/beta=false'],
    [['--oidc-required-claim=a=b,c', '--oidc-required-claim=d=e'], 'oidc-required-claim', 'a=b,c,d=e'],
    // Addresses and ranges.
    [['--bind-address=::1'], 'bind-address', '::1'],
    [
      ['--cloud-provider-gce-l7lb-src-cidrs=10.0.0.0/8,fd00::/8'],
      'cloud-provider-gce-l7lb-src-cidrs',
      '10.0.0.0/8,fd00::/8',
    ],
    [['--service-node-port-range=30000-30100'], 'service-node-port-range', '30000-30100'],
    [['--service-node-port-range=30000+100'], 'service-node-port-range', '30000-30100'],
    [['--tls-sni-cert-key=a.crt,a.key:example.org'], 'tls-sni-cert-key', 'a.crt,a.key:example.org'],
    // Other names.
    [['--max_requests_inflight=5'], 'max-requests-inflight', '5'],
    [['-v', '4'], 'v', '4'],
    [['-v4'], 'v', '4'],
    [['-v=4'], 'v', '4'],
    [['--stderrthreshold=ERROR'], 'stderrthreshold', '2'],
    [['--version=raw'], 'version', 'raw'],
    [['--kubelet-timeout=9s'], 'clusterlet-timeout', '9s'],
    [['--clusterlet-timeout=9s'], 'kubelet-timeout', '9s'],
    [['--service-account-api-audiences=x'], 'api-audiences', 'x'],
    // What nobody gave.
    [[], 'authorization-mode', 'AlwaysAllow'],
    [[], 'goaway-chance', '0'],
    [[], 'livez-grace-period', '0s'],
    [[], 'token-auth-file', undefined],
    [[], 'client-ca-file', 'pki/ca.crt'],
    [[], 'audit-log-version', 'audit.cluster.io/v1'],
  ] as const)('%j: %s is %j', (args, name, value) => {
    expect(examine('apiserver', ...args).flags.get(name)).toBe(value);
  });

  it.each(['--', '--x', 'x', '-x', '=', '--v=', '--feature-gates=a', '--service-node-port-range=1-'])(
    'is never parsed silently from %j',
    (arg) => expect(arg === '--' ? [] : problemsOf('apiserver', arg)).toHaveLength(arg === '--' ? 0 : 1),
  );

  it('from any text is a value or an error, and nothing is thrown', () => {
    const args = fc.array(
      fc.oneof(
        fc.string(),
        fc
          .tuple(fc.constantFrom(...components[0]!.flags.map(({ name }) => name)), fc.string())
          .map(([name, text]) => `--${name}=${text}`),
      ),
    );
    fc.assert(
      fc.property(args, (given) => examine('apiserver', ...given).problems.every(({ message }) => message !== '')),
    );
  });
});

const invalid = (text: string, flag: string, why: string): string =>
  `invalid argument "${text}" for "${flag}" flag: ${why}`;

describe('an invalid argument', () => {
  it.each([
    ['--no-such-flag', 'unknown flag: --no-such-flag'],
    ['--no-such-flag=1', 'unknown flag: --no-such-flag'],
    ['-x', "unknown shorthand flag: 'x' in -x"],
    ['--=x', 'bad flag syntax: --=x'],
    ['---x', 'bad flag syntax: ---x'],
    ['word', '"cluster-apiserver" does not take any arguments, got ["word"]'],
    ['--event-ttl', 'flag needs an argument: --event-ttl'],
    ['-v', "flag needs an argument: 'v' in -v"],
    ['--profiling=maybe', invalid('maybe', '--profiling', 'strconv.ParseBool: parsing "maybe": invalid syntax')],
    [
      '--max-requests-inflight=many',
      invalid('many', '--max-requests-inflight', 'strconv.ParseInt: parsing "many": invalid syntax'),
    ],
    [
      '--max-requests-inflight=1.5',
      invalid('1.5', '--max-requests-inflight', 'strconv.ParseInt: parsing "1.5": invalid syntax'),
    ],
    [
      '--max-requests-inflight=9223372036854775808',
      invalid(
        '9223372036854775808',
        '--max-requests-inflight',
        'strconv.ParseInt: parsing "9223372036854775808": value out of range',
      ),
    ],
    ['--log-file-max-size=-1', invalid('-1', '--log-file-max-size', 'strconv.ParseUint: parsing "-1": invalid syntax')],
    ['--goaway-chance=half', invalid('half', '--goaway-chance', 'strconv.ParseFloat: parsing "half": invalid syntax')],
    ['--event-ttl=5', invalid('5', '--event-ttl', 'time: missing unit in duration "5"')],
    ['--event-ttl=5x', invalid('5x', '--event-ttl', 'time: unknown unit "x" in duration "5x"')],
    ['--event-ttl=soon', invalid('soon', '--event-ttl', 'time: invalid duration "soon"')],
    [
      '--api-audiences=a"b',
      'invalid argument "a\\"b" for "--api-audiences" flag: parse error on line 1: bare " in non-quoted field',
    ],
    ['--bind-address=here', invalid('here', '--bind-address', 'failed to parse IP: "here"')],
    [
      '--cloud-provider-gce-l7lb-src-cidrs=10.0.0.0',
      invalid('10.0.0.0', '--cloud-provider-gce-l7lb-src-cidrs', 'invalid CIDR address: 10.0.0.0'),
    ],
    [
      '--service-node-port-range=9-1',
      invalid('9-1', '--service-node-port-range', 'end port cannot be less than start port: 9-1'),
    ],
    [
      '--tls-sni-cert-key=only.crt',
      invalid('only.crt', '--tls-sni-cert-key', 'expected comma separated certificate and key file paths'),
    ],
    ['--oidc-required-claim=a', invalid('a', '--oidc-required-claim', 'malformed pair, expect string=string')],
    [
      '--feature-gates=ServerSideApply',
      invalid('ServerSideApply', '--feature-gates', 'missing bool value for ServerSideApply'),
    ],
    ['-v=high', invalid('high', '-v, --v', 'strconv.ParseInt: parsing "high": invalid syntax')],
    ['--vmodule=a', invalid('a', '--vmodule', 'syntax error: expect comma-separated list of filename=N')],
    ['--log-backtrace-at=a', invalid('a', '--log-backtrace-at', 'syntax error: expect file.go:234')],
  ])('%s', (arg, message) => expect(problemsOf('apiserver', arg)).toEqual([message]));
});

describe('the API server refuses', () => {
  it.each([
    ['--max-requests-inflight=-1', '--max-requests-inflight can not be negative value'],
    ['--max-mutating-requests-inflight=-1', '--max-mutating-requests-inflight can not be negative value'],
    ['--request-timeout=-1s', '--request-timeout can not be negative value'],
    ['--min-request-timeout=-1', '--min-request-timeout can not be negative value'],
    ['--livez-grace-period=-1s', '--livez-grace-period can not be a negative value'],
    ['--goaway-chance=0.03', '--goaway-chance can not be less than 0 or greater than 0.02'],
    ['--goaway-chance=-0.01', '--goaway-chance can not be less than 0 or greater than 0.02'],
    ['--secure-port=0', '--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0'],
    ['--apiserver-count=0', "--apiserver-count should be a positive number, but value '0' provided"],
    ['--delete-collection-workers=0', '--delete-collection-workers should be a positive number'],
    ['--watch-cache-sizes=pods#-1', 'watch cache size cannot be negative: pods#-1'],
    ['--watch-cache-sizes=pods', 'invalid value of watch cache size: pods'],
    ['--service-cluster-ip-range=10.0.0.0/8', 'specified --service-cluster-ip-range is too large'],
    ['--service-cluster-ip-range=', 'no --service-cluster-ip-range specified'],
    ['--service-cluster-ip-range=here', '--service-cluster-ip-range: invalid CIDR address: here'],
    [
      '--service-cluster-ip-range=10.0.0.0/24,fd00::/112',
      '--service-cluster-ip-range can only hold one range, unless IPv6DualStack is on',
    ],
    ['--kubernetes-service-node-port=80', "cluster service port range 30000-32767 doesn't contain 80"],
    ['--service-account-issuer=', 'service-account-issuer is a required flag'],
    ['--service-account-jwks-uri=http://x', 'service-account-jwks-uri requires https scheme, parsed as: http://x'],
    [
      '--service-account-max-token-expiration=5m',
      'the serviceaccount max expiration must be between 1 hour to 2^32 seconds',
    ],
    ['--oidc-issuer-url=https://x', 'oidc-issuer-url and oidc-client-id should be specified together'],
    ['--requestheader-username-headers=', undefined],
    ['--authorization-mode=', 'at least one authorization-mode must be passed'],
    [
      '--authorization-mode=Sudo',
      'authorization-mode "Sudo" is not a valid mode; there are AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node',
    ],
    ['--authorization-mode=RBAC,RBAC', 'authorization-mode ["RBAC","RBAC"] has mode specified more than once'],
    ['--authorization-mode=ABAC', "authorization-mode ABAC's authorization policy file not passed"],
    ['--authorization-mode=Webhook', "authorization-mode Webhook's authorization config file not passed"],
    ['--authorization-policy-file=policy.jsonl', 'cannot specify --authorization-policy-file without mode ABAC'],
    [
      '--authorization-webhook-config-file=hook.yaml',
      'cannot specify --authorization-webhook-config-file without mode Webhook',
    ],
    ['--token-auth-file=absent.csv', '--token-auth-file: there is no file "absent.csv"'],
    ['--token-auth-file=constructor', '--token-auth-file: there is no file "constructor"'],
    ['--token-auth-file=tokens.csv', undefined],
    ['--audit-log-mode=later', '--audit-log-mode: "later" is none of batch, blocking, blocking-strict'],
    ['--audit-log-mode=', '--audit-log-mode: "" is none of batch, blocking, blocking-strict'],
    ['--audit-webhook-batch-buffer-size=0', 'invalid audit batch webhook buffer size 0, must be a positive number'],
    ['--storage-backend=sql', '--storage-backend: "sql" is none of etcd3'],
    ['--insecure-port=8080', 'invalid port value 8080: only zero is allowed'],
    ['--tls-cipher-suites=ROT13', "Cipher suite ROT13 not supported or doesn't exist"],
    ['--runtime-config=api/all=false', 'invalid key with only api/all=false'],
    ['--runtime-config=pods', 'runtime-config invalid key pods'],
    ['--runtime-config=a/b/c/d', 'runtime-config invalid key a/b/c/d'],
    ['--runtime-config=none.example.org/v1', 'unknown api groups none.example.org'],
    ['--runtime-config=batch/v7=true', 'group version batch/v7 that has not been registered'],
    [
      '--runtime-config=batch/v1=perhaps',
      'invalid value of batch/v1: perhaps, err: strconv.ParseBool: parsing "perhaps": invalid syntax',
    ],
    [
      '--runtime-config=v1,api/alpha=true,extensions/v1beta1/ingresses=false,imagepolicy.cluster.io/v1alpha1=true',
      undefined,
    ],
    [
      '--runtime-config=flowcontrol.apiserver.cluster.io/v1beta1=false',
      'flowcontrol.apiserver.cluster.io/v1beta1=false conflicts with APIPriorityAndFairness feature gate',
    ],
    ['--runtime-config=api/beta=false', 'api/beta=false conflicts with APIPriorityAndFairness feature gate'],
    ['--runtime-config=flowcontrol.apiserver.cluster.io/v1alpha1=false', undefined],
    ['--feature-gates=NoSuch=true', 'unrecognized feature gate: NoSuch'],
    ['--feature-gates=constructor=true', 'unrecognized feature gate: constructor'],
    ['--feature-gates=TokenRequest=false', 'cannot set feature gate TokenRequest to false, feature is locked to true'],
    ['--feature-gates=TokenRequest=true', undefined],
  ])('%s', (arg, message) => expect(problemsOf('apiserver', arg)[0]).toBe(message));

  it('every error at once, each with its flag', () => {
    const { problems } = examine('apiserver', '--nope', '--event-ttl=5', '--goaway-chance=1');
    expect(problems.map(({ flag }) => flag)).toEqual(['nope', 'event-ttl', 'goaway-chance']);
  });
});

describe('the controller manager refuses', () => {
  it.each([
    ['--controllers=*,nope', '"nope" is not in the list of known controllers'],
    ['--controllers=*,-route,bootstrapsigner', undefined],
    ['--max-endpoints-per-slice=1001', 'max-endpoints-per-slice should not be more than 1000, but got 1001'],
    [
      '--concurrent-deployment-syncs=99999999999',
      invalid(
        '99999999999',
        '--concurrent-deployment-syncs',
        'strconv.ParseInt: parsing "99999999999": value out of range',
      ),
    ],
    ['--concurrent-rc-syncs=2', undefined],
    ['--leader-elect-renew-deadline=20s', 'leaseDuration must be greater than renewDeadline'],
    [
      '--cluster-signing-legacy-unknown-cert-file=pki/ca.crt',
      '--cluster-signing-legacy-unknown-cert-file and --cluster-signing-legacy-unknown-key-file have to be given together',
    ],
    ['--root-ca-file=absent.crt', '--root-ca-file: there is no file "absent.crt"'],
  ])('%s', (arg, message) => expect(problemsOf('controllerManager', arg)[0]).toBe(message));
});

describe('a gate', () => {
  const isOn = (gate: string, ...args: string[]): boolean => examine('scheduler', ...args).gate(gate);

  it.each([
    ['ServerSideApply', [], true],
    ['EphemeralContainers', [], false],
    ['EphemeralContainers', ['--feature-gates=EphemeralContainers=true'], true],
    ['EphemeralContainers', ['--feature-gates=AllAlpha=true'], true],
    ['EphemeralContainers', ['--feature-gates=AllAlpha=true,EphemeralContainers=false'], false],
    [
      'EphemeralContainers',
      ['--feature-gates=EphemeralContainers=true', '--feature-gates=TTLAfterFinished=true'],
      true,
    ],
    [
      'EphemeralContainers',
      ['--feature-gates=EphemeralContainers=true', '--feature-gates=EphemeralContainers=false'],
      false,
    ],
    ['ServerSideApply', ['--feature-gates=AllBeta=false'], false],
    ['TokenRequest', ['--feature-gates=AllBeta=false'], true],
    ['NoSuch', [], false],
  ] as const)('%s with %j is %j', (gate, args, on) => expect(isOn(gate, ...args)).toBe(on));
});

describe('a warning', () => {
  it.each([
    [
      'apiserver',
      '--insecure-port=0',
      'API server: Flag --insecure-port has been deprecated, It does nothing any longer and will be removed.',
    ],
    [
      'apiserver',
      '--feature-gates=DryRun=true',
      'API server: Setting GA feature gate DryRun=true. It will be removed in a future release.',
    ],
    [
      'scheduler',
      '--scheduler-name=mine',
      'Scheduler: Flag --scheduler-name has been deprecated, Set it in the file of --config instead.',
    ],
  ] as const)('of %s with %s', (component, arg, warning) => {
    const reading = examine(component, arg);
    expect([reading.problems, reading.warnings]).toEqual([[], [warning]]);
  });

  it('is reported once, and never without a reason', () => {
    expect(examine('apiserver', '--insecure-port=0', '--insecure-port=0').warnings).toHaveLength(1);
    expect(examine('apiserver').warnings).toEqual([]);
  });
});

describe('starting', () => {
  it('names every component and flag with an error', () => {
    const start = (): unknown =>
      readFlags({ apiserver: ['--nope', '--event-ttl=x'], scheduler: ['--config=absent.yaml'] }, { names, files });
    expect(start).toThrow(FlagError);
    expect(start).toThrow(
      /^API server: unknown flag: --nope; invalid argument .*\nScheduler: --config: there is no file "absent.yaml"$/,
    );
  });
});

describe('what a page is shown', () => {
  const view = describeFlags(names);

  it('is plain data with the names of the profile', () => {
    expect(structuredClone(view)).toEqual(view);
    expect(JSON.stringify(view)).not.toMatch(/\{\w+\}/);
    expect(view.components.map(({ key }) => key)).toEqual(['apiserver', 'controllerManager', 'scheduler']);
  });

  it('has help for every flag, and valid defaults', () => {
    for (const { key, flags } of view.components)
      for (const { name, help, default: standard, choices } of flags) {
        expect(help, name).toMatch(/\.$/);
        if (standard !== '' && choices) expect(choices, name).toContain(standard);
        if (standard !== '')
          expect(
            examine(key, `--${name}=${standard}`).problems.filter(
              (p) => p.flag === name && p.message.startsWith('invalid argument'),
            ),
            name,
          ).toEqual([]);
      }
  });

  it('has no help for an undeclared flag', () => {
    const declared = new Set(components.flatMap(({ flags }) => flags.map(({ name }) => name)));
    const described = [shared, apiserver, controllerManager, scheduler].flatMap((table) => Object.keys(table));
    expect(described.filter((name) => !declared.has(name))).toEqual([]);
  });
});
