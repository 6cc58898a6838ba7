/** SecurityContextDeny: refuses pods that set users, groups or SELinux labels. */
import type { objects } from '../../schema/index.ts';
import type { PluginDeclaration } from '../types.ts';
import { containersOf, isPod, podOf, type PodSpec } from './pods.ts';
import { refuse } from './refuse.ts';

export const securityContextDeny: PluginDeclaration = {
  name: 'SecurityContextDeny',
  on: false,
  create: () => ({
    name: 'SecurityContextDeny',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate: (attributes) => {
      if (!isPod(attributes)) return;
      const found = firstForbidden(podOf(attributes).spec);
      if (found !== undefined) throw refuse(attributes, `${found} is forbidden`);
    },
  }),
};

function firstForbidden(spec: PodSpec): string | undefined {
  const pod: objects.PodSecurityContext = spec.securityContext ?? {};
  if (pod.supplementalGroups) return 'pod.Spec.SecurityContext.SupplementalGroups';
  if (pod.seLinuxOptions) return 'pod.Spec.SecurityContext.SELinuxOptions';
  if (pod.runAsUser !== undefined) return 'pod.Spec.SecurityContext.RunAsUser';
  if (pod.fsGroup !== undefined) return 'pod.Spec.SecurityContext.FSGroup';
  const contexts = containersOf(spec).map((c) => c.securityContext);
  if (contexts.some((c) => c?.seLinuxOptions)) return 'SecurityContext.SELinuxOptions';
  return contexts.some((c) => c?.runAsUser !== undefined) ? 'SecurityContext.RunAsUser' : undefined;
}
