/** Creates the initial flow control objects of a cluster, and recreates the mandatory ones. */
import {
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
} from '../../schema/index.ts';
import { IDLE, inBackground, throwToHost, type Timer } from '../../std/index.ts';
import { ask, type LoopServer } from '../extensions/request.ts';

const MANAGER = 'api-priority-and-fairness-config-producer-v1';
const LOOK_AGAIN = 60_000;

interface Kind {
  readonly kind: string;
  readonly plural: string;
}

const SCHEMA: Kind = { kind: 'FlowSchema', plural: 'flowschemas' };
const LEVEL: Kind = { kind: 'PriorityLevelConfiguration', plural: 'prioritylevelconfigurations' };

type Specs = Readonly<Record<string, object>>;

/** Resolves when all objects exist; then checks the mandatory ones every minute. */
export async function keepFlowObjects(server: LoopServer): Promise<() => void> {
  if (!server.scheme.byResource({ group: groupOf(server), version: 'v1beta1', resource: SCHEMA.plural }))
    return () => undefined;
  // A cluster with the exempt level is not new: missing suggested objects were deleted on purpose.
  const isNew = !(await ask(server, 'GET', pathOf(server, LEVEL, 'exempt')));
  if (isNew) {
    await ensure(server, LEVEL, suggestedPriorityLevels, isNew);
    await ensure(server, SCHEMA, suggestedFlowSchemas(server.names), isNew);
  }
  let timer: Timer | undefined;
  const keep = async (isNew = false): Promise<void> => {
    try {
      await ensure(server, LEVEL, mandatoryPriorityLevels, isNew);
      await ensure(server, SCHEMA, mandatoryFlowSchemas, isNew);
    } finally {
      if (!stopped) timer = server.clock.setTimeout(() => inBackground(keep(), throwToHost), LOOK_AGAIN, IDLE);
    }
  };
  let stopped = false;
  await keep(isNew);
  return () => {
    stopped = true;
    server.clock.clearTimeout(timer);
  };
}

const groupOf = ({ names }: LoopServer): string => names.fill('flowcontrol.apiserver.{domain}');

const pathOf = (server: LoopServer, { plural }: Kind, name?: string): string =>
  `/apis/${groupOf(server)}/v1beta1/${plural}${name === undefined ? '' : `/${name}`}`;

/**
 * Creates the missing objects concurrently, so that they share a write. Levels come before the schemas that refer to
 * them. In a new cluster (`isNew`), objects are created without reading them first.
 */
async function ensure(server: LoopServer, type: Kind, specs: Specs, isNew: boolean): Promise<void> {
  const create = async ([name, spec]: [string, object]): Promise<void> => {
    if (!isNew && (await ask(server, 'GET', pathOf(server, type, name)))) return;
    const object = { apiVersion: `${groupOf(server)}/v1beta1`, kind: type.kind, metadata: { name }, spec };
    await ask(server, 'POST', `${pathOf(server, type)}?fieldManager=${MANAGER}`, object);
  };
  await Promise.all(Object.entries(specs).map(create));
}
