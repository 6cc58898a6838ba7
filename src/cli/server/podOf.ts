/** The pods that an argument names: `web-1`, `pod/web-1`, `deploy/web`, `svc/web`. */
import { pathOf, pods, type Pod } from '../../client/index.ts';
import { labelSelectorText, selectorOfLabels, type ApiObject, type LabelSelector } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import type { Call } from '../command/command.ts';
import { complaint } from '../command/errors.ts';
import { fetchObjects } from './tables.ts';
import { readTargets } from './targets.ts';

/**
 * The pods of an object, those that have been ready longest first; for a pod's name, that pod. Throws if there are none: `task` is
 * what could not be done.
 */
export async function podsBehind(call: Call, word: string, task = 'attach to'): Promise<readonly Pod[]> {
  const { list } = await readTargets(call, word.includes('/') ? [word] : ['pods', word]);
  const [target] = list;
  if (!target) throw complaint('no pod was named');
  const [object] = await fetchObjects(call.client, target, { labelSelector: '', fieldSelector: '' });
  // The server answers a pod's path with a pod.
  if (target.resource.kind === 'Pod' && target.resource.group === '') return [object as Pod];
  const labelSelector = selectorOf(object);
  if (labelSelector === '') {
    const type = `*${target.resource.version}.${object?.kind ?? ''}`;
    throw complaint(`cannot ${task} ${type}: selector for ${type} not implemented`);
  }
  const found = await podsSelected(call, labelSelector);
  if (found.length === 0) throw complaint(`timed out waiting for the condition`);
  return found;
}

/** The container that a command enters: the chosen one, or the first, which is a guess among several. Throws for a pod that has ended. */
export function containerToEnter(
  { spec, status }: Pod,
  chosen: string,
): { readonly container: string; readonly isGuess: boolean } {
  if (status.phase === 'Succeeded' || status.phase === 'Failed')
    throw complaint(`cannot exec into a container in a completed pod; current phase is ${status.phase}`);
  const [first, ...others] = spec.containers ?? [];
  if (chosen !== '') return { container: chosen, isGuess: false };
  return { container: first?.name ?? '', isGuess: others.length > 0 };
}

/** The pods with labels, in the command's namespace. */
export async function podsSelected(
  { client, namespace }: Pick<Call, 'client' | 'namespace'>,
  labelSelector: string,
): Promise<readonly Pod[]> {
  const list = (await client.json(pathOf(pods, client.names, namespace), { query: { labelSelector } })) as {
    readonly items?: readonly Pod[] | null;
  };
  const found = [...(list.items ?? [])].sort((a, b) => rank(a) - rank(b));
  return found;
}

/** Running pods before those that wait. */
const rank = ({ spec, status }: Pod): number => (status.phase === 'Running' ? 0 : spec.nodeName ? 1 : 2);

/** A controller's selector, or a service's. */
function selectorOf(object: ApiObject | undefined): string {
  const spec: unknown = isObject(object) ? object.spec : undefined;
  const selector = isObject(spec) ? spec.selector : undefined;
  if (!isObject(selector)) return '';
  if (isObject(selector.matchLabels) || Array.isArray(selector.matchExpressions))
    return labelSelectorText(selector as LabelSelector);
  return selectorOfLabels(selector as Record<string, string>).toString();
}
