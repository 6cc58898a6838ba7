/** Follows flow control's objects, and sets the condition of each flow schema that says whether its level exists. */
import type { Resource } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import type { Watch } from '../../storage/index.ts';
import { createLoop } from '../extensions/loop.ts';
import { ask, type LoopServer } from '../extensions/request.ts';
import { collectionRange } from '../registry/keys.ts';
import type { Levels, PriorityLevel, Reference } from './levels.ts';
import type { FlowSchema } from './matching.ts';

const MANAGER = 'api-priority-and-fairness-config-consumer-v1';

/**
 * Starts following both kinds; decisions right after a write use what was written. Returns a function that stops it.
 */
export function followFlowObjects(server: LoopServer, levels: Levels): () => Promise<void> {
  const resources = ['prioritylevelconfigurations', 'flowschemas'].map((name) => resourceOf(server, name));
  const [levelResource, schemaResource] = resources;
  // If the group is not served, only the mandatory objects exist.
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

/** The desired condition of a schema. */
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

/** A refused write is retried when the objects change, which is also what caused the refusal. */
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
