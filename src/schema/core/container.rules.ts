/** The rules for containers. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { complaints, each, nonNegative, oneOf, present, type Errors } from '../meta/checks.ts';
import { checkHttpHeader, checkLabel, checkPortName, checkPortNumber } from '../values/names.ts';
import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  Handler,
  HTTPGetAction,
  Lifecycle,
  Probe,
  VolumeDevice,
  VolumeMount,
} from './container.ts';
import { validateEnv, validateEnvFrom } from './env.rules.ts';
import { PROTOCOLS, validatePort } from './ports.rules.ts';
import { validateRequirements } from './resources.rules.ts';
import { validateSecurityContext } from './securityContext.rules.ts';
import { validateDescendingPath } from './volumeSources.rules.ts';
import type { Volume } from './volumes.ts';

/** The volumes that containers can mount, by name. */
export type Volumes = ReadonlyMap<string, Volume>;

export function* validateContainers(
  containers: readonly Container[] | null | undefined,
  volumes: Volumes,
  path: Path,
  context: RuleContext,
): Errors {
  if ((containers ?? []).length === 0) return yield field.required(path);
  yield* validateEachContainer(containers ?? [], volumes, path, context);
  yield* validateHostPorts(containers ?? [], path);
}

/** Init containers run sequentially, so their ports can't collide with each other's. */
export function* validateInitContainers(
  containers: readonly Container[] | undefined,
  others: readonly Container[],
  volumes: Volumes,
  path: Path,
  context: RuleContext,
): Errors {
  yield* validateEachContainer(containers ?? [], volumes, path, context);
  // The reference looks at each alone, as if it were the first.
  for (const container of containers ?? []) yield* validateHostPorts([container], path);
  const names = new Set(others.map((container) => container.name));
  yield* each(containers, path, function* (container, at) {
    if (names.has(container.name)) yield field.duplicate(at.child('name'), container.name);
    if (container.name !== '') names.add(container.name);
    for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
      if (container[name]) yield field.invalid(at.child(name), container[name], 'must not be set for init containers');
    }
  });
}

function* validateEachContainer(
  containers: readonly Container[],
  volumes: Volumes,
  path: Path,
  context: RuleContext,
): Errors {
  const names = new Set<string>();
  yield* each(containers, path, function* (container, at) {
    yield* validateName(container.name, at.child('name'));
    if (names.has(container.name)) yield field.duplicate(at.child('name'), container.name);
    names.add(container.name);
    yield* validateContainer(container, volumes, at, context);
  });
}

function* validateName(name: string, path: Path): Errors {
  if (name === '') yield field.required(path);
  else yield* complaints(path, name, checkLabel(name));
}

function* validateContainer(container: Container, volumes: Volumes, path: Path, context: RuleContext): Errors {
  yield* present(container.image, path.child('image'));
  if (container.lifecycle) yield* validateLifecycle(container.lifecycle, path.child('lifecycle'));
  yield* validateProbe(container.livenessProbe, path.child('livenessProbe'), true);
  yield* validateProbe(container.startupProbe, path.child('startupProbe'), true);
  yield* validateTerminationMessagePolicy(
    container.terminationMessagePolicy ?? '',
    path.child('terminationMessagePolicy'),
  );
  yield* validateProbe(container.readinessProbe, path.child('readinessProbe'), false);
  yield* validatePorts(container.ports, path.child('ports'));
  yield* validateEnv(container.env, path.child('env'));
  yield* validateEnvFrom(container.envFrom, path.child('envFrom'));
  yield* validateMounts(container, volumes, path.child('volumeMounts'));
  yield* validateDevices(container, volumes, path.child('volumeDevices'));
  if (!container.imagePullPolicy) yield field.required(path.child('imagePullPolicy'));
  else yield* oneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], path.child('imagePullPolicy'));
  yield* validateRequirements(container.resources ?? {}, path.child('resources'), context.names);
  if (container.securityContext)
    yield* validateSecurityContext(container.securityContext, path.child('securityContext'), context);
}

function* validateTerminationMessagePolicy(policy: string, path: Path): Errors {
  const detail = "must be 'File' or 'FallbackToLogsOnError'";
  if (policy === '') yield field.required(path, detail);
  else if (policy !== 'File' && policy !== 'FallbackToLogsOnError') yield field.invalid(path, policy, detail);
}

function* validateLifecycle({ postStart, preStop }: Lifecycle, path: Path): Errors {
  if (postStart) yield* validateHandler(postStart, path.child('postStart'));
  if (preStop) yield* validateHandler(preStop, path.child('preStop'));
}

/** `once`: one success has to be enough. */
function* validateProbe(probe: Probe | undefined, path: Path, once: boolean): Errors {
  if (!probe) return;
  yield* validateHandler(probe, path);
  for (const name of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const) {
    yield* nonNegative(probe[name], path.child(name));
  }
  if (once && probe.successThreshold !== 1)
    yield field.invalid(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1');
}

function* validateHandler({ exec, httpGet, tcpSocket }: Handler, path: Path): Errors {
  if (exec && (exec.command ?? []).length === 0) yield field.required(path.child('exec', 'command'));
  if (httpGet && exec) yield field.forbidden(path.child('httpGet'), 'may not specify more than 1 handler type');
  else if (httpGet) yield* validateHttpGet(httpGet, path.child('httpGet'));
  if (tcpSocket && (exec || httpGet))
    yield field.forbidden(path.child('tcpSocket'), 'may not specify more than 1 handler type');
  else if (tcpSocket) yield* validatePort(tcpSocket.port, path.child('tcpSocket', 'port'));
  if (!exec && !httpGet && !tcpSocket) yield field.required(path, 'must specify a handler type');
}

function* validateHttpGet({ path: url, port, scheme, httpHeaders }: HTTPGetAction, path: Path): Errors {
  yield* present(url, path.child('path'));
  yield* validatePort(port, path.child('port'));
  yield* oneOf(scheme, ['HTTP', 'HTTPS'], path.child('scheme'));
  for (const { name } of httpHeaders ?? []) yield* complaints(path.child('httpHeaders'), name, checkHttpHeader(name));
}

function* validatePorts(ports: readonly ContainerPort[] | undefined, path: Path): Errors {
  const names = new Set<string>();
  yield* each(ports, path, function* ({ name = '', containerPort, hostPort = 0, protocol = '' }, at) {
    const wrong = name === '' ? [] : checkPortName(name);
    yield* complaints(at.child('name'), name, wrong);
    if (wrong.length === 0 && names.has(name)) yield field.duplicate(at.child('name'), name);
    if (name !== '') names.add(name);
    if (containerPort === 0) yield field.required(at.child('containerPort'));
    else yield* complaints(at.child('containerPort'), containerPort, checkPortNumber(containerPort));
    if (hostPort !== 0) yield* complaints(at.child('hostPort'), hostPort, checkPortNumber(hostPort));
    if (protocol === '') yield field.required(at.child('protocol'));
    else yield* oneOf(protocol, PROTOCOLS, at.child('protocol'));
  });
}

function* validateHostPorts(containers: readonly Container[], path: Path): Errors {
  const taken = new Set<string>();
  yield* each(containers, path, (container, at) =>
    each(container.ports, at.child('ports'), function* ({ hostPort = 0, protocol = '', hostIP = '' }, item) {
      if (hostPort === 0) return;
      const place = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(place)) yield field.duplicate(item.child('hostPort'), place);
      taken.add(place);
    }),
  );
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

function* validateMounts(
  { volumeMounts, volumeDevices = [], securityContext }: Container,
  volumes: Volumes,
  path: Path,
): Errors {
  const mounted = new Set<string>();
  yield* each(volumeMounts, path, function* (mount, at) {
    yield* present(mount.name, at.child('name'));
    if (!volumes.has(mount.name)) yield field.notFound(at.child('name'), mount.name);
    yield* present(mount.mountPath, at.child('mountPath'));
    if (mounted.has(mount.mountPath)) yield field.invalid(at.child('mountPath'), mount.mountPath, 'must be unique');
    mounted.add(mount.mountPath);
    if (volumeDevices.some(({ name }) => name === mount.name))
      yield field.invalid(at.child('name'), mount.name, 'must not already exist in volumeDevices');
    if (devicePaths(volumeDevices).has(mount.mountPath))
      yield field.invalid(at.child('mountPath'), mount.mountPath, 'must not already exist as a path in volumeDevices');
    // The reference reports what follows without the mount's index.
    yield* validateSubPath(mount, path, at);
    yield* validatePropagation(
      mount.mountPropagation,
      securityContext?.privileged ?? false,
      path.child('mountPropagation'),
    );
  });
}

function* validateSubPath({ subPath = '', subPathExpr = '' }: VolumeMount, path: Path, at: Path): Errors {
  if (subPath !== '') yield* validateDescendingPath(subPath, path.child('subPath'));
  if (subPathExpr === '') return;
  if (subPath !== '')
    yield field.invalid(at.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive');
  yield* validateDescendingPath(subPathExpr, path.child('subPathExpr'));
}

function* validatePropagation(propagation: string | undefined, privileged: boolean, path: Path): Errors {
  if (propagation === undefined) return;
  yield* oneOf(propagation, PROPAGATIONS, path);
  if (propagation === 'Bidirectional' && !privileged)
    yield field.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers');
}

/** A device or mount that is named twice counts only where it is last. */
const devicePaths = (devices: readonly VolumeDevice[]): ReadonlySet<string> =>
  new Set(new Map(devices.map((d) => [d.name, d.devicePath])).values());
const mountPaths = (mounts: readonly VolumeMount[]): ReadonlySet<string> =>
  new Set(new Map(mounts.map((m) => [m.name, m.mountPath])).values());

function* validateDevices({ volumeDevices, volumeMounts = [] }: Container, volumes: Volumes, path: Path): Errors {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  yield* each(volumeDevices, path, function* ({ name, devicePath }, at) {
    yield* present(name, at.child('name'));
    if (names.has(name)) yield field.invalid(at.child('name'), name, 'must be unique');
    const volume = volumes.get(name);
    if (!volume) yield field.notFound(at.child('name'), name);
    else if (!volume.persistentVolumeClaim)
      yield field.invalid(
        at.child('name'),
        name,
        'can only use volume source type of PersistentVolumeClaim for block mode',
      );
    yield* present(devicePath, at.child('devicePath'));
    if (paths.has(devicePath)) yield field.invalid(at.child('devicePath'), devicePath, 'must be unique');
    if (devicePath.split('/').includes('..'))
      yield field.invalid(at.child('devicePath'), devicePath, "can not contain backsteps ('..')");
    else paths.add(devicePath);
    if (volumeMounts.some((mount) => mount.name === name))
      yield field.invalid(at.child('name'), name, 'must not already exist in volumeMounts');
    if (mountPaths(volumeMounts).has(devicePath))
      yield field.invalid(at.child('devicePath'), devicePath, 'must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
  });
}

/** Fields that an ephemeral container can't have. */
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'volumeDevices',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'securityContext',
] as const;

export function* validateEphemeralContainers(
  containers: readonly EphemeralContainer[] | undefined,
  others: readonly Container[],
  volumes: Volumes,
  path: Path,
  context: RuleContext,
): Errors {
  const names = new Set(others.map((container) => container.name));
  yield* each(containers, path, function* (container, at) {
    const { targetContainerName = '', ...common } = container;
    if (targetContainerName !== '' && !names.has(targetContainerName))
      yield field.notFound(at.child('targetContainerName'), targetContainerName);
    if (container.name === '') return yield field.required(at, 'ephemeralContainer requires a name');
    // The reference checks it as a list of one, and reports it so.
    yield* validateContainers([common], volumes, at, context);
    yield* validateImages([common], at);
    if (names.has(container.name)) yield field.duplicate(at.child('name'), container.name);
    names.add(container.name);
    // Every container has resources, if only empty ones.
    const { limits, requests } = container.resources ?? {};
    const fields = { ...container, resources: limits ?? requests };
    for (const name of NOT_EPHEMERAL)
      if (fields[name] !== undefined) yield field.forbidden(at.child(name), 'cannot be set for an Ephemeral Container');
  });
}

/** Pods are stricter than templates: an image's name has no space around it. */
export function* validateImages(containers: readonly Container[] | null | undefined, path: Path): Errors {
  yield* each(containers, path, ({ image = '' }, at) => validateImage(image, at.child('image')));
}

export function* validateImage(image: string, path: Path): Errors {
  if (image !== image.trim()) yield field.invalid(path, image, 'must not have leading or trailing whitespace');
}
