/** DefaultTolerationSeconds: pods tolerate a node that is not ready or unreachable for a while. */
import type { objects } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { isPod, podOf } from './pods.ts';

export const defaultTolerationSeconds: PluginDeclaration = {
  name: 'DefaultTolerationSeconds',
  on: true,
  create: (deps) => ({
    name: 'DefaultTolerationSeconds',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    admit: (attributes) => tolerate(attributes, deps),
  }),
};

const TAINTS = [
  { key: 'node.{label}/not-ready', flag: 'default-not-ready-toleration-seconds' },
  { key: 'node.{label}/unreachable', flag: 'default-unreachable-toleration-seconds' },
] as const;

function tolerate(attributes: AdmissionAttributes, { names, flag }: PluginDeps): void {
  if (!isPod(attributes)) return;
  const { spec } = podOf(attributes);
  const tolerations = spec.tolerations ?? [];
  const missing = TAINTS.filter(({ key }) => !tolerations.some((t) => covers(t, names.fill(key))));
  if (missing.length === 0) return;
  const added = missing.map(({ key, flag: seconds }) => ({
    key: names.fill(key),
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: Number(flag(seconds)),
  }));
  spec.tolerations = [...tolerations, ...added];
}

/** Whether a toleration already covers this taint. */
function covers({ key = '', effect = '' }: objects.Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}
