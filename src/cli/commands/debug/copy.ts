/** `debug --copy-to`: a copy of a pod with another container, or with containers changed. */
import { pods, type Pod } from '../../../client/index.ts';
import type { objects } from '../../../schema/index.ts';
import { complaint } from '../../command/errors.ts';
import { debuggerName, newContainer, programIn, wantedOf, type DebugCall, type Debugged } from './options.ts';

/** Creates the copy; with `--replace` the original goes at once. */
export async function debugCopy(call: DebugCall, pod: Pod): Promise<Debugged> {
  const resource = call.client.of<Pod>(pods);
  const { spec, container } = copied(call, pod);
  const { namespace = '', annotations } = pod.metadata;
  const metadata = { name: call.flags['copy-to'], namespace, ...(annotations ? { annotations } : {}) };
  const made = await resource.create({ metadata, spec }, { namespace });
  if (call.flags.replace) await resource.delete(pod, { gracePeriodSeconds: 0 });
  return { pod: made, container };
}

interface Copied extends Pick<Debugged, 'container'> {
  readonly spec: Pod['spec'];
}

function copied(call: DebugCall, pod: Pod): Copied {
  const { container: chosen, image, 'set-image': images } = call.flags;
  const spec = specOf(call, pod);
  const { initContainers = [] } = spec;
  const containers = (spec.containers ?? []).map((each) => withImage(each, images.get(each.name) ?? images.get('*')));
  const change = (each: objects.Container): objects.Container => (each.name === chosen ? changed(call, each) : each);
  if ([...initContainers, ...containers].some(({ name }) => name === chosen)) {
    const before = initContainers.length > 0 ? { initContainers: initContainers.map(change) } : {};
    return { spec: { ...spec, ...before, containers: containers.map(change) }, container: chosen };
  }
  if (image !== '') {
    const container = debuggerName(call);
    return { spec: { ...spec, containers: [...containers, newContainer(call, container)] }, container };
  }
  if (images.size > 0) return { spec: { ...spec, containers }, container: '' };
  throw complaint('you must specify image when creating new container');
}

/** The original's spec as far as a new pod may have it. */
function specOf({ flags: given, given: named }: DebugCall, { spec }: Pod): Pod['spec'] {
  const { ephemeralContainers: _added, nodeName, ...rest } = spec;
  return {
    ...rest,
    ...(given['same-node'] && nodeName !== undefined ? { nodeName } : {}),
    ...(named.has('share-processes') ? { shareProcessNamespace: given['share-processes'] } : {}),
  };
}

const withImage = (container: objects.Container, image = ''): objects.Container =>
  image === '' ? container : { ...container, image };

/** A container of the original that is looked into itself. A new command takes the old arguments away. */
function changed(call: DebugCall, container: objects.Container): objects.Container {
  const { stdin: _stdin, tty: _tty, ...rest } = container;
  const program = programIn(call);
  if (program.command) delete rest.args;
  return {
    ...rest,
    ...{ ...wantedOf(call), ...program },
    ...(call.flags.stdin ? { stdin: true } : {}),
    ...(call.flags.tty ? { tty: true } : {}),
  };
}
