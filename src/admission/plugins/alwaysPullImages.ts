/** AlwaysPullImages: every container pulls its image with the pod's own credentials, even if the node has it. */
import { field, status } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration } from '../types.ts';
import { containersOf, containersWithPaths, isPod, oldPodOf, podOf } from './pods.ts';
import { refuse } from './refuse.ts';

const ALWAYS = 'Always';

export const alwaysPullImages: PluginDeclaration = {
  name: 'AlwaysPullImages',
  on: false,
  create: () => ({
    name: 'AlwaysPullImages',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    admit: (attributes) => {
      if (!concerns(attributes)) return;
      for (const container of containersOf(podOf(attributes).spec)) container.imagePullPolicy = ALWAYS;
    },
    validate: (attributes) => {
      if (concerns(attributes)) check(attributes);
    },
  }),
};

/** Pods with images; an update without new images does not affect pods from before the plugin was enabled. */
function concerns(attributes: AdmissionAttributes): boolean {
  if (!isPod(attributes)) return false;
  const old = attributes.operation === 'UPDATE' ? oldPodOf(attributes) : undefined;
  if (!old) return true;
  const known = new Set(containersOf(old.spec).map((c) => c.image));
  return containersOf(podOf(attributes).spec).some((c) => !known.has(c.image));
}

/** A later plugin may have reset the policy; the reference answers that with a bare 500. */
function check(attributes: AdmissionAttributes): void {
  const messages = containersWithPaths(podOf(attributes).spec)
    .filter(({ container }) => container.imagePullPolicy !== ALWAYS)
    .map(({ container, path }) => {
      const wrong = field.notSupported(path.child('imagePullPolicy'), container.imagePullPolicy ?? '', [ALWAYS]);
      return refuse(attributes, `${wrong.field}: ${wrong.message}`).message;
    });
  if (messages.length > 0)
    throw status.unexpected(messages.length === 1 ? (messages[0] as string) : `[${messages.join(', ')}]`);
}
