/** Follows flow control's objects, and sets on each flow schema the condition that says whether its level exists. */
import type { Resource } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import type { Watch } from '../../storage/index.ts';
import { createLoop } from '../extensions/loop.ts';
import { ask, type LoopServer } from '../extensions/request.ts';
import { collectionRange } from '../registry/keys.ts';
import type { Levels, PriorityLevel, Reference } from './levels.ts';
import type { FlowSchema } from './matching.ts';

const MANAGER = 'api-priority-and-fairness-config-consumer-v1';

/** Follows both kinds from now on; decisions right after a write go by what was written. Returns what ends it. */
export function followFlowObjects(server: LoopServer, levels: Levels): () => Promise<void> {
  const resources = ['prioritylevelconfigurations', 'flowschemas'].map((name) => resourceOf(server, name));
  const [levelResource, schemaResource] = resources;
  // Where the group is not served, only what every cluster has is there.
  if (!levelResource || !schemaResource) return () => Promise.resolve();
  let references: readonly Reference[] = [];
  const loop = createLoop(server.clock, () => writeConditions(server, schemaResource, references));
  const update = (): void => {
    const stored = <T>(resource: Resource): T[] => read<T>(server, resource);
    references = levels.update(stored<PriorityLevel>(levelResource), stored<FlowSchema>(schemaResource));
    if (references.some((reference) => !isUpToDate(reference))) loop.wake();
  };
  update();
  const watches = [levelResource, schemaResource].map((resource) => watch(server, resource, update));
  return async () => {
    for (const open of watches) open.close();
    await loop.stop();
  };
}

function resourceOf({ scheme, names }: LoopServer, resource: string): Resource | undefined {
  const gvr = { group: names.fill('flowcontrol.apiserver.{domain}'), version: 'v1beta1', resource };
  return scheme.byResource(gvr)?.hub;
}

/** Only decoded objects are stored. */
function read<T>({ storage, views }: LoopServer, resource: Resource): T[] {
  const { entries } = storage.range(collectionRange(resource, ''));
  return entries.map((entry) => views.of(entry, resource).object as T);
}

function watch({ storage }: LoopServer, resource: Resource, changed: () => void): Watch {
  const options = { ...collectionRange(resource, ''), from: storage.revision, bufferLimit: Infinity };
  return storage.watch(options, changed, () => undefined);
}

/** The condition that a schema should have. */
function conditionOf({ level, dangling }: Reference): { status: string; reason: string; message: string } {
  const about = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return dangling
    ? { status: 'True', reason: 'NotFound', message: `${about} but there is no such object` }
    : { status: 'False', reason: 'Found', message: `${about} and it exists` };
}

function isUpToDate(reference: Reference): boolean {
  const current = reference.schema.status?.conditions?.find(({ type }) => type === 'Dangling');
  const wanted = conditionOf(reference);
  return current?.status === wanted.status && current.reason === wanted.reason && current.message === wanted.message;
}

/** A write that is refused is made again when the objects change; what refused it was such a change. */
async function writeConditions(
  server: LoopServer,
  resource: Resource,
  references: readonly Reference[],
): Promise<void> {
  await Promise.all(
    references.filter((reference) => !isUpToDate(reference)).map((one) => writeCondition(server, resource, one)),
  );
}

async function writeCondition(
  server: LoopServer,
  { gvr: { group, version } }: Resource,
  reference: Reference,
): Promise<void> {
  const lastTransitionTime = rfc3339(server.clock.now());
  const condition = { type: 'Dangling', ...conditionOf(reference), lastTransitionTime };
  const name = encodeURIComponent(reference.schema.metadata.name ?? '');
  const path = `/apis/${group}/${version}/flowschemas/${name}/status?fieldManager=${MANAGER}`;
  await ask(server, 'PATCH', path, { status: { conditions: [condition] } });
}
