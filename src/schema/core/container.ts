import {
  always,
  bool,
  inline,
  int32,
  intOrString,
  list,
  named,
  opt,
  ptr,
  quantity,
  string,
  struct,
} from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { isLatest } from './imageName.ts';
import { ResourceList, roundResources } from './resourceList.ts';
import { LocalObjectReference } from './references.ts';
import { SecurityContext } from './securityContext.ts';

export const ContainerPort = struct('api.core.v1.ContainerPort', {
  name: opt(1, string),
  hostPort: opt(2, int32),
  containerPort: always(3, int32),
  protocol: opt(4, named('v1.Protocol', string), { default: 'TCP', keyDefault: 'TCP' }),
  hostIP: opt(5, string),
});
export type ContainerPort = Infer<typeof ContainerPort>;

export const ConfigMapEnvSource = struct('api.core.v1.ConfigMapEnvSource', {
  ...inline(1, LocalObjectReference),
  optional: ptr(2, bool),
});
export type ConfigMapEnvSource = Infer<typeof ConfigMapEnvSource>;

export const ConfigMapKeySelector = struct('api.core.v1.ConfigMapKeySelector', {
  ...inline(1, LocalObjectReference),
  key: always(2, string),
  optional: ptr(3, bool),
});
export type ConfigMapKeySelector = Infer<typeof ConfigMapKeySelector>;

export const SecretEnvSource = struct('api.core.v1.SecretEnvSource', {
  ...inline(1, LocalObjectReference),
  optional: ptr(2, bool),
});
export type SecretEnvSource = Infer<typeof SecretEnvSource>;

export const SecretKeySelector = struct('api.core.v1.SecretKeySelector', {
  ...inline(1, LocalObjectReference),
  key: always(2, string),
  optional: ptr(3, bool),
});
export type SecretKeySelector = Infer<typeof SecretKeySelector>;

export const ObjectFieldSelector = struct('api.core.v1.ObjectFieldSelector', {
  apiVersion: opt(1, string, { default: 'v1' }),
  fieldPath: always(2, string),
});
export type ObjectFieldSelector = Infer<typeof ObjectFieldSelector>;

export const ResourceFieldSelector = struct('api.core.v1.ResourceFieldSelector', {
  containerName: opt(1, string),
  resource: always(2, string),
  divisor: opt(3, quantity),
});
export type ResourceFieldSelector = Infer<typeof ResourceFieldSelector>;

export const EnvVarSource = struct('api.core.v1.EnvVarSource', {
  fieldRef: ptr(1, ObjectFieldSelector),
  resourceFieldRef: ptr(2, ResourceFieldSelector),
  configMapKeyRef: ptr(3, ConfigMapKeySelector),
  secretKeyRef: ptr(4, SecretKeySelector),
});
export type EnvVarSource = Infer<typeof EnvVarSource>;

export const EnvVar = struct(
  'api.core.v1.EnvVar',
  {
    name: always(1, string, { doc: 'Name of the variable.' }),
    value: opt(2, string, { doc: 'Value of the variable.' }),
    valueFrom: ptr(3, EnvVarSource, { doc: 'Where the value comes from.' }),
  },
  { doc: 'A variable.' },
);
export type EnvVar = Infer<typeof EnvVar>;

export const EnvFromSource = struct('api.core.v1.EnvFromSource', {
  prefix: opt(1, string),
  configMapRef: ptr(2, ConfigMapEnvSource),
  secretRef: ptr(3, SecretEnvSource),
});
export type EnvFromSource = Infer<typeof EnvFromSource>;

export const ResourceRequirements = struct(
  'api.core.v1.ResourceRequirements',
  {
    limits: opt(1, ResourceList, { doc: 'Most that may be used.' }),
    requests: opt(2, ResourceList, { doc: 'What is kept free for the container; the limits, where nothing is said.' }),
  },
  {
    defaults(resources) {
      roundResources(resources.limits);
      roundResources(resources.requests);
    },
    doc: 'Resources that a container asks for, and those it may use at most.',
  },
);
export type ResourceRequirements = Infer<typeof ResourceRequirements>;

export const VolumeMount = struct('api.core.v1.VolumeMount', {
  name: always(1, string),
  readOnly: opt(2, bool),
  mountPath: always(3, string),
  subPath: opt(4, string),
  mountPropagation: ptr(5, named('v1.MountPropagationMode', string)),
  subPathExpr: opt(6, string),
});
export type VolumeMount = Infer<typeof VolumeMount>;

export const VolumeDevice = struct('api.core.v1.VolumeDevice', {
  name: always(1, string),
  devicePath: always(2, string),
});
export type VolumeDevice = Infer<typeof VolumeDevice>;

export const ExecAction = struct('api.core.v1.ExecAction', {
  command: opt(1, list(string)),
});
export type ExecAction = Infer<typeof ExecAction>;

export const HTTPHeader = struct('api.core.v1.HTTPHeader', {
  name: always(1, string),
  value: always(2, string),
});
export type HTTPHeader = Infer<typeof HTTPHeader>;

export const HTTPGetAction = struct('api.core.v1.HTTPGetAction', {
  path: opt(1, string, { default: '/' }),
  port: always(2, intOrString),
  host: opt(3, string),
  scheme: opt(4, named('v1.URIScheme', string), { default: 'HTTP' }),
  httpHeaders: opt(5, list(HTTPHeader)),
});
export type HTTPGetAction = Infer<typeof HTTPGetAction>;

export const TCPSocketAction = struct('api.core.v1.TCPSocketAction', {
  port: always(1, intOrString),
  host: opt(2, string),
});
export type TCPSocketAction = Infer<typeof TCPSocketAction>;

export const Handler = struct('api.core.v1.Handler', {
  exec: ptr(1, ExecAction),
  httpGet: ptr(2, HTTPGetAction),
  tcpSocket: ptr(3, TCPSocketAction),
});
export type Handler = Infer<typeof Handler>;

export const Probe = struct(
  'api.core.v1.Probe',
  {
    ...inline(1, Handler),
    initialDelaySeconds: opt(2, int32, { doc: 'Seconds before the first check.' }),
    timeoutSeconds: opt(3, int32, { default: 1, doc: 'Seconds after which a check has failed.' }),
    periodSeconds: opt(4, int32, { default: 10, doc: 'Seconds between checks.' }),
    successThreshold: opt(5, int32, { default: 1, doc: 'How many checks in a row have to succeed.' }),
    failureThreshold: opt(6, int32, { default: 3, doc: 'How many checks in a row have to fail.' }),
  },
  { doc: 'A check of a container.' },
);
export type Probe = Infer<typeof Probe>;

export const Lifecycle = struct('api.core.v1.Lifecycle', {
  postStart: ptr(1, Handler),
  preStop: ptr(2, Handler),
});
export type Lifecycle = Infer<typeof Lifecycle>;

const TerminationMessagePolicy = named('v1.TerminationMessagePolicy', string);
const PullPolicy = named('v1.PullPolicy', string);

/** A moving tag is pulled each time. */
function fillContainer(container: { image?: string; imagePullPolicy?: string }): void {
  container.imagePullPolicy ??= isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent';
}

export const Container = struct(
  'api.core.v1.Container',
  {
    name: always(1, string, { doc: 'Name of the container, unique in its pod.' }),
    image: opt(2, string, { doc: 'Image that the container runs.' }),
    command: opt(3, list(string), { doc: "Program to run instead of the image's own." }),
    args: opt(4, list(string), { doc: 'Arguments of the program.' }),
    workingDir: opt(5, string, { doc: 'Folder in which the program starts.' }),
    ports: opt(6, list(ContainerPort), {
      list: 'map',
      keys: ['containerPort', 'protocol'],
      mergeKey: 'containerPort',
      strategy: 'merge',
      doc: 'Ports on which the program listens.',
    }),
    envFrom: opt(19, list(EnvFromSource), { doc: 'Where variables come from, many at a time.' }),
    env: opt(7, list(EnvVar), { mergeKey: 'name', strategy: 'merge', doc: 'Variables.' }),
    resources: opt(8, ResourceRequirements, {
      doc: 'Resources that the container asks for, and those it may use at most.',
    }),
    volumeMounts: opt(9, list(VolumeMount), {
      mergeKey: 'mountPath',
      strategy: 'merge',
      doc: 'Volumes of the pod that the container mounts.',
    }),
    volumeDevices: opt(21, list(VolumeDevice), {
      mergeKey: 'devicePath',
      strategy: 'merge',
      doc: 'Block devices that the container uses.',
    }),
    livenessProbe: ptr(10, Probe, { doc: 'Check that the container still works; it is started again if not.' }),
    readinessProbe: ptr(11, Probe, { doc: 'Check that the container can be used.' }),
    startupProbe: ptr(22, Probe, { doc: 'Check that the container has started; until then the others wait.' }),
    lifecycle: ptr(12, Lifecycle, { doc: 'What is done when the container starts and ends.' }),
    terminationMessagePath: opt(13, string, {
      default: '/dev/termination-log',
      doc: 'File from which the reason of its end is read.',
    }),
    terminationMessagePolicy: opt(20, TerminationMessagePolicy, {
      default: 'File',
      doc: '`File`, or `FallbackToLogsOnError`.',
    }),
    imagePullPolicy: opt(14, PullPolicy, { doc: 'When the image is fetched: `Always`, `IfNotPresent` or `Never`.' }),
    securityContext: ptr(15, SecurityContext, { doc: 'Security settings.' }),
    stdin: opt(16, bool, { doc: 'Whether there is standard input.' }),
    stdinOnce: opt(17, bool, { doc: 'Whether standard input closes after the first client.' }),
    tty: opt(18, bool, { doc: 'Whether there is a terminal.' }),
  },
  {
    defaults: fillContainer,
    doc: 'A program that runs in a pod.',
  },
);
export type Container = Infer<typeof Container>;

const EphemeralContainerCommon = {
  name: 'api.core.v1.EphemeralContainerCommon',
  fields: {
    name: always(1, string),
    image: opt(2, string),
    command: opt(3, list(string)),
    args: opt(4, list(string)),
    workingDir: opt(5, string),
    ports: opt(6, list(ContainerPort)),
    envFrom: opt(19, list(EnvFromSource)),
    env: opt(7, list(EnvVar), { mergeKey: 'name', strategy: 'merge' }),
    resources: opt(8, ResourceRequirements),
    volumeMounts: opt(9, list(VolumeMount), { mergeKey: 'mountPath', strategy: 'merge' }),
    volumeDevices: opt(21, list(VolumeDevice), { mergeKey: 'devicePath', strategy: 'merge' }),
    livenessProbe: ptr(10, Probe),
    readinessProbe: ptr(11, Probe),
    startupProbe: ptr(22, Probe),
    lifecycle: ptr(12, Lifecycle),
    terminationMessagePath: opt(13, string, { default: '/dev/termination-log' }),
    terminationMessagePolicy: opt(20, TerminationMessagePolicy, { default: 'File' }),
    imagePullPolicy: opt(14, PullPolicy),
    securityContext: ptr(15, SecurityContext),
    stdin: opt(16, bool),
    stdinOnce: opt(17, bool),
    tty: opt(18, bool),
  },
};

export const EphemeralContainer = struct(
  'api.core.v1.EphemeralContainer',
  {
    ...inline(1, EphemeralContainerCommon),
    targetContainerName: opt(2, string),
  },
  {
    defaults: fillContainer,
  },
);
export type EphemeralContainer = Infer<typeof EphemeralContainer>;
