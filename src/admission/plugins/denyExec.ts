/** DenyEscalatingExec and DenyExecOnPrivileged: refuse access to privileged containers. Both are deprecated. */
import { status } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { containersOf, type Pod } from './pods.ts';
import { refuse } from './refuse.ts';

const PODS = { group: '', resource: 'pods' } as const;

type Danger = readonly [text: string, found: (spec: NonNullable<Pod['spec']>) => boolean];

const PRIVILEGED: Danger = [
  'a privileged container',
  (spec) => containersOf(spec).some((c) => c.securityContext?.privileged === true),
];
const HOST: readonly Danger[] = [
  ['a container using host network', (spec) => spec.hostNetwork === true],
  ['a container using host pid', (spec) => spec.hostPID === true],
  ['a container using host ipc', (spec) => spec.hostIPC === true],
];

const declare = (name: string, dangers: readonly Danger[]): PluginDeclaration => ({
  name,
  on: false,
  create: (deps) => ({
    name,
    handles: (operation) => operation === 'CONNECT',
    validate: (attributes) => check(attributes, deps, dangers),
  }),
});

function check(attributes: AdmissionAttributes, { get }: PluginDeps, dangers: readonly Danger[]): void {
  const { resource, subresource, namespace, name } = attributes;
  if (resource.resource !== 'pods' || (subresource !== 'exec' && subresource !== 'attach')) return;
  const pod = get(PODS, namespace, name) as Pod | undefined;
  if (!pod) throw refuse(attributes, status.notFound(PODS, name).message);
  const danger = dangers.find(([, found]) => found(pod.spec ?? {}));
  if (danger) throw refuse(attributes, `cannot exec into or attach to ${danger[0]}`);
}

export const denyEscalatingExec = declare('DenyEscalatingExec', [...HOST, PRIVILEGED]);
export const denyExecOnPrivileged = declare('DenyExecOnPrivileged', [PRIVILEGED]);
