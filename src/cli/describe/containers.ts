/** Containers of pods and of pod templates. */
import type { objects } from '../../schema/index.ts';
import { quantityOf } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { field, given, goList, indent, longTime, NONE, section, sortedEntries, yesNo, type Line } from './lines.ts';

type Container = objects.Container;
type Status = objects.ContainerStatus;
type Env = objects.EnvVar;

/** The value of a pod's own field; a template has none. */
export type FieldOf = (path: string) => string;

export interface ContainersOptions {
  readonly statuses?: readonly Status[] | undefined;
  readonly fieldOf?: FieldOf;
  /** In a template everything but the fields stands further in. */
  readonly inTemplate?: boolean;
}

export function containers(
  title: string,
  list: readonly Container[],
  { statuses = [], fieldOf = () => '', inTemplate = false }: ContainersOptions,
): readonly Line[] {
  const head = `${inTemplate ? '  ' : ''}${title}:${list.length === 0 ? ` ${NONE}` : ''}`;
  const each = list.flatMap((container) => {
    const status = statuses.find(({ name }) => name === container.name);
    return [
      `${inTemplate ? '   ' : '  '}${container.name}:`,
      ...indent(2, [...basics(container, status), ...commands(container), ...(status ? states(status) : [])]),
      ...indent(2, [
        ...resources(container),
        ...probes(container),
        ...environment(container, fieldOf),
        ...mounts(container),
      ]),
    ];
  });
  return [head, ...each];
}

function basics({ image, ports = [] }: Container, status: Status | undefined): readonly Line[] {
  return [
    ...(status ? [field('Container ID', status.containerID ?? '')] : []),
    field('Image', image ?? ''),
    ...(status ? [field('Image ID', status.imageID)] : []),
    portsLine(
      'Port',
      ports.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`),
    ),
    portsLine(
      'Host Port',
      ports.map(({ hostPort = 0, protocol }) => `${hostPort}/${protocol}`),
    ),
  ];
}

const portsLine = (name: string, ports: readonly string[]): Line =>
  field(ports.length > 1 ? `${name}s` : name, ports.join(', ') || NONE);

const commands = ({ command = [], args = [] }: Container): readonly Line[] => [
  ...words('Command', command),
  ...words('Args', args),
];

const words = (title: string, list: readonly string[]): readonly Line[] =>
  list.length === 0
    ? []
    : section(
        title,
        list.flatMap((word) => word.split('\n')),
      );

const states = ({ state, lastState, ready, restartCount }: Status): readonly Line[] => [
  ...stateLines('State', state),
  ...(lastState?.terminated ? stateLines('Last State', lastState) : []),
  field('Ready', yesNo(ready)),
  field('Restart Count', restartCount),
];

function stateLines(title: string, state: objects.ContainerState = {}): readonly Line[] {
  const { running, waiting, terminated } = state;
  if (running) return [field(title, 'Running'), ...indent(1, [field('Started', longTime(running.startedAt))])];
  if (!terminated) return [field(title, 'Waiting'), ...indent(1, given('Reason', waiting?.reason))];
  return [
    field(title, 'Terminated'),
    ...indent(1, [
      ...given('Reason', terminated.reason),
      ...given('Message', terminated.message),
      field('Exit Code', terminated.exitCode),
      ...(terminated.signal ? [field('Signal', terminated.signal)] : []),
      field('Started', longTime(terminated.startedAt)),
      field('Finished', longTime(terminated.finishedAt)),
    ]),
  ];
}

const resources = ({ resources: { limits, requests } = {} }: Container): readonly Line[] => [
  ...amounts('Limits', limits),
  ...amounts('Requests', requests),
];

const amounts = (title: string, map: Readonly<Record<string, string>> | undefined): readonly Line[] => {
  const lines = sortedEntries(map).map(([name, amount]) => field(name, amount));
  return lines.length === 0 ? [] : section(title, lines);
};

const probes = ({ livenessProbe, readinessProbe, startupProbe }: Container): readonly Line[] => [
  ...(livenessProbe ? [field('Liveness', probeText(livenessProbe))] : []),
  ...(readinessProbe ? [field('Readiness', probeText(readinessProbe))] : []),
  ...(startupProbe ? [field('Startup', probeText(startupProbe))] : []),
];

function probeText(probe: objects.Probe): string {
  const times = `delay=${probe.initialDelaySeconds ?? 0}s timeout=${probe.timeoutSeconds ?? 0}s period=${probe.periodSeconds ?? 0}s`;
  return `${probeAction(probe)} ${times} #success=${probe.successThreshold ?? 0} #failure=${probe.failureThreshold ?? 0}`;
}

function probeAction({ exec, httpGet, tcpSocket }: objects.Probe): string {
  if (exec) return `exec ${goList(exec.command)}`;
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port}`;
  if (!httpGet) return 'unknown';
  const { scheme = '', host = '', port, path = '' } = httpGet;
  const address = host.includes(':') ? `[${host}]` : host;
  return `http-get ${scheme.toLowerCase()}://${address}:${port}${path.startsWith('/') || path === '' ? '' : '/'}${path}`;
}

function environment(container: Container, fieldOf: FieldOf): readonly Line[] {
  const { env = [], envFrom = [] } = container;
  return [
    ...(envFrom.length === 0 ? [] : section('Environment Variables from', envFrom.map(envFromLine))),
    ...(env.length === 0
      ? [field('Environment', NONE)]
      : section(
          'Environment',
          env.flatMap((each) => envLines(each, container, fieldOf)),
        )),
  ];
}

function envFromLine({ configMapRef, secretRef, prefix = '' }: objects.EnvFromSource): Line {
  const from = configMapRef ? 'ConfigMap' : secretRef ? 'Secret' : '';
  const ref = configMapRef ?? secretRef;
  const how = prefix === '' ? from : `${from} with prefix '${prefix}'`;
  return `${ref?.name ?? ''}\t${how}\tOptional: ${String(ref?.optional ?? false)}`;
}

function envLines({ name, value = '', valueFrom }: Env, container: Container, fieldOf: FieldOf): readonly Line[] {
  if (!valueFrom) return value.split('\n').map((line, i) => (i === 0 ? field(name, line) : `\t${line}`));
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef)
    return [field(name, `${fieldOf(fieldRef.fieldPath)} (${fieldRef.apiVersion ?? ''}:${fieldRef.fieldPath})`)];
  if (resourceFieldRef)
    return [field(name, `${resourceValue(resourceFieldRef, container)} (${resourceFieldRef.resource})`)];
  const optional = `Optional: ${String((secretKeyRef ?? configMapKeyRef)?.optional ?? false)}`;
  if (secretKeyRef)
    return [`${name}:\t<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name ?? ''}'>\t${optional}`];
  if (!configMapKeyRef) return [];
  return [
    `${name}:\t<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name ?? ''}'>\t${optional}`,
  ];
}

function resourceValue({ resource, divisor }: objects.ResourceFieldSelector, { resources = {} }: Container): string {
  const [kind, ...rest] = resource.split('.');
  const name = rest.join('.');
  const amount = quantityOf(getOwn(kind === 'limits' ? resources.limits : resources.requests, name));
  if (amount.isZero && kind === 'limits' && (name === 'cpu' || name === 'memory')) return 'node allocatable';
  const by = quantityOf(divisor);
  // CPU is counted in thousandths, so that half a core by `1m` makes 500.
  const [whole, unit] =
    name === 'cpu' ? [amount.milliValue(), by.milliValue() || 1000] : [amount.value(), by.value() || 1];
  return String(Math.ceil(whole / unit));
}

function mounts({ volumeMounts = [], volumeDevices = [] }: Container): readonly Line[] {
  const sorted = [...volumeMounts].sort((a, b) => (a.mountPath < b.mountPath ? -1 : 1));
  const lines = sorted.map(({ mountPath, name, readOnly, subPath }) => {
    const path = subPath ? `,path=${JSON.stringify(subPath)}` : '';
    return `${mountPath} from ${name} (${readOnly ? 'ro' : 'rw'}${path})`;
  });
  const devices = [...volumeDevices].sort((a, b) => (a.devicePath < b.devicePath ? -1 : 1));
  return [
    ...(lines.length === 0 ? [field('Mounts', NONE)] : section('Mounts', lines)),
    ...(devices.length === 0
      ? []
      : [
          lines.length === 0 ? field('Devices', NONE) : 'Devices:',
          ...indent(
            1,
            devices.map(({ devicePath, name }) => `${devicePath} from ${name}`),
          ),
        ]),
  ];
}
