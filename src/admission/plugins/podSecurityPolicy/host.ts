/** What a pod shares with its node: namespaces, ports, kernel parameters, host volumes. */
import { field, Path, type FieldErrors } from '../../../schema/index.ts';
import type { StrategyMaker } from './strategy.ts';

const HOST_FIELDS = [
  ['hostNetwork', 'Host network'],
  ['hostPID', 'Host PID'],
  ['hostIPC', 'Host IPC'],
] as const;

export const hostNamespaces: StrategyMaker = ({ spec }) => ({
  checkPod: (pod) =>
    HOST_FIELDS.filter(([name]) => pod.spec[name] === true && spec[name] !== true).map(([name, what]) =>
      field.invalid(Path.of('spec', 'securityContext', name), true, `${what} is not allowed to be used`),
    ),
});

export const hostPorts: StrategyMaker = ({ spec }) => {
  const ranges = spec.hostPorts ?? [];
  const shown = ranges.map(({ min, max }) => (min === max ? `${min}` : `${min}-${max}`)).join(',');
  return {
    checkContainer: ({ container, path }) =>
      (container.ports ?? [])
        .flatMap(({ hostPort = 0 }) => (hostPort > 0 ? [hostPort] : []))
        .filter((port) => !ranges.some(({ min, max }) => port >= min && port <= max))
        .map((port) =>
          field.invalid(
            path.child('hostPort'),
            port,
            `Host port ${port} is not allowed to be used. Allowed ports: [${shown}]`,
          ),
        ),
  };
};

/** Namespaced kernel parameters. */
const SAFE_SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
];

/** Whether a pattern, which may end in `*`, matches a name. */
const fits = (patterns: readonly string[] | undefined, name: string): boolean =>
  (patterns ?? []).some((p) => (p.endsWith('*') ? name.startsWith(p.slice(0, -1)) : name === p));

export const sysctls: StrategyMaker = ({ spec }) => ({
  checkPod: (pod) =>
    (pod.spec.securityContext?.sysctls ?? []).flatMap(({ name }, i): FieldErrors => {
      const path = Path.of('pod', 'spec', 'securityContext', 'sysctls').index(i);
      const shown = JSON.stringify(name);
      if (fits(spec.forbiddenSysctls, name)) return [field.forbidden(path, `sysctl ${shown} is not allowed`)];
      if (SAFE_SYSCTLS.includes(name) || fits(spec.allowedUnsafeSysctls, name)) return [];
      return [field.forbidden(path, `unsafe sysctl ${shown} is not allowed`)];
    }),
});

export const runtimeClassName: StrategyMaker = ({ spec: { runtimeClass } }) => {
  if (!runtimeClass) return {};
  const { defaultRuntimeClassName: standard, allowedRuntimeClassNames } = runtimeClass;
  const allowed = allowedRuntimeClassNames ?? [];
  return {
    fillPod: ({ spec }) => {
      if (standard !== undefined && spec.runtimeClassName === undefined) spec.runtimeClassName = standard;
    },
    checkPod: ({ spec: { runtimeClassName: name } }) =>
      name === undefined || allowed.includes('*') || allowed.includes(name)
        ? []
        : [field.invalid(Path.of('spec', 'runtimeClassName'), name, '')],
  };
};
