/** `create service` of every type, and `create ingress`. */
import { group, type Command } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { integer, text, texts, type Flags } from '../../command/flags.ts';
import { generator } from './generator.ts';

const tcp = texts({ separator: ',' });

/** The flags of each type. */
const flagsOf = {
  ClusterIP: { clusterip: text(), tcp },
  NodePort: { 'node-port': integer(), tcp },
  LoadBalancer: { tcp },
  ExternalName: { 'external-name': text(), tcp },
} as const satisfies Readonly<Record<string, Flags>>;

type Type = keyof typeof flagsOf;

/** What a command of any of the types may be given. */
type Given = Partial<Record<'clusterip' | 'external-name', string>> & {
  readonly 'node-port'?: number;
  readonly tcp: readonly string[];
};

function serviceOf(type: Type): Command {
  return generator({
    name: type.toLowerCase(),
    flags: flagsOf[type],
    required: type === 'ExternalName' ? ['external-name'] : [],
    makes: 'services',
    failure: `failed to create ${type} service`,
    make: ({ flags }, name) => {
      const { tcp, clusterip = '', 'external-name': externalName = '', 'node-port': nodePort = 0 }: Given = flags;
      if (type === 'ExternalName' && !isSubdomain(externalName))
        throw complaint(`invalid service external name ${externalName}`);
      const headless = clusterip === 'None' || type === 'ExternalName';
      if (tcp.length === 0 && !headless) throw complaint('at least one tcp port specifier must be provided');
      const ports = tcp.map((each) => ({ ...portOf(each), ...(nodePort > 0 ? { nodePort } : {}) }));
      return {
        metadata: { labels: { app: name } },
        spec: {
          ...{ selector: { app: name }, type },
          ...(ports.length > 0 ? { ports } : {}),
          ...(clusterip === '' ? {} : { clusterIP: clusterip }),
          ...(externalName === '' ? {} : { externalName }),
        },
        status: { loadBalancer: {} },
      };
    },
  });
}

const isSubdomain = (name: string): boolean =>
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name);

/** `80`, `80:8080`, `443:https`. */
function portOf(typed: string): Readonly<Record<string, unknown>> {
  const [port = '', target = port] = typed.split(':');
  if (!/^\d+$/.test(port)) throw complaint(`strconv.ParseUint: parsing ${JSON.stringify(port)}: invalid syntax`);
  if (Number(port) > 65_535) throw complaint(`strconv.ParseUint: parsing ${JSON.stringify(port)}: value out of range`);
  const targetPort = /^\d+$/.test(target) ? Number(target) : target;
  return { name: typed.replaceAll(':', '-'), port: Number(port), protocol: 'TCP', targetPort };
}

export const service = group({
  ...{ name: 'service', aliases: ['svc'] },
  subcommands: [serviceOf('ClusterIP'), serviceOf('NodePort'), serviceOf('LoadBalancer'), serviceOf('ExternalName')],
});

export const ingress = generator({
  name: 'ingress',
  aliases: ['ing'],
  flags: {
    annotation: texts(),
    class: text(),
    'default-backend': text(),
    rule: texts(),
  },
  makes: 'ingresses.networking.{domain}',
  failure: 'failed to create ingress',
  make: ({ flags: { annotation, class: ingressClass, 'default-backend': backend, rule } }) => {
    if (rule.length === 0 && backend === '')
      throw complaint(
        'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
      );
    if (backend !== '' && !/^[^:]+:[^:]+$/.test(backend))
      throw complaint('default-backend should be in format servicename:serviceport');
    const rules = rule.map(parseRule);
    const annotations = Object.fromEntries(annotation.map((each) => splitOnce(each, '=')));
    return {
      metadata: annotation.length > 0 ? { annotations } : {},
      spec: {
        ...(ingressClass === '' ? {} : { ingressClassName: ingressClass }),
        ...(backend === '' ? {} : { defaultBackend: backendOf(...splitOnce(backend, ':')) }),
        ...(rules.length > 0 ? { rules: rulesOf(rules) } : {}),
        ...tlsOf(rules),
      },
      status: { loadBalancer: {} },
    };
  },
});

interface Rule {
  readonly host: string;
  readonly path: string;
  readonly service: string;
  readonly port: string;
  /** Undefined without TLS, empty for TLS without a secret. */
  readonly secret: string | undefined;
}

function splitOnce(typed: string, separator: string): readonly [string, string] {
  const at = typed.indexOf(separator);
  return at < 0 ? [typed, ''] : [typed.slice(0, at), typed.slice(at + 1)];
}

function parseRule(typed: string): Rule {
  const found = /^([\w*.-]*)(\/[^=]*)=([\w.-]+):([\w-]+)(,tls(?:=([\w.-]*))?)?$/.exec(typed);
  if (!found)
    throw complaint(`rule ${typed} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  const [, host = '', path = '', service = '', port = '', tls, secret = ''] = found;
  return { host, path, service, port, secret: tls === undefined ? undefined : secret };
}

const backendOf = (name: string, port: string): unknown => ({
  service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } },
});

/** One rule for each host; a path that ends in `*` stands for all that begin with it. */
function rulesOf(rules: readonly Rule[]): unknown {
  const hosts = [...new Set(rules.map(({ host }) => host))];
  return hosts.map((host) => ({
    ...(host === '' ? {} : { host }),
    http: {
      paths: rules
        .filter((each) => each.host === host)
        .map(({ path, service, port }) => ({
          backend: backendOf(service, port),
          path: path.replace(/\*$/, ''),
          pathType: path.endsWith('*') ? 'Prefix' : 'Exact',
        })),
    },
  }));
}

function tlsOf(rules: readonly Rule[]): { readonly tls?: unknown } {
  const secure = rules.filter(({ secret }) => secret !== undefined);
  const secrets = [...new Set(secure.map(({ secret = '' }) => secret))];
  if (secrets.length === 0) return {};
  return {
    tls: secrets.map((secret) => {
      const hosts = new Set(secure.filter((each) => each.secret === secret).map(({ host }) => host));
      const named = [...hosts].filter((host) => host !== '');
      return { ...(named.length > 0 ? { hosts: named } : {}), ...(secret === '' ? {} : { secretName: secret }) };
    }),
  };
}
