/** Eviction: a delete that checks the disruption budgets first. */
import { selectorOfObject, status, type ApiObject, type LabelSelector, type Resource } from '../../../schema/index.ts';
import { clone, isObject, rfc3339 } from '../../../std/index.ts';
import { readObject } from '../../codec/input.ts';
import type { Answer } from '../../codec/answer.ts';
import type { ResourceContext } from '../registry.ts';
import { mutate, optionsObject, validate } from '../../handlers/admit.ts';
import { ownFields } from '../../handlers/fieldOwnership.ts';
import type { DeleteOptions } from '../deleteOptions.ts';
import { deleteObject, readDeleteOptions, validateDeleteOptions } from '../deletion.ts';
import { collectionRange } from '../keys.ts';
import { writeOptions } from '../query.ts';
import { getObject } from '../read.ts';
import { groupResource } from '../preconditions.ts';
import { unexpected, updateObject } from '../write.ts';

const DISRUPTED_MAX = 2000;

export async function evict(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { server, info } = context;
  const dryRun = openEviction(context);
  const type = server.scheme.byKind({ group: 'policy', version: 'v1beta1', kind: 'Eviction' });
  if (!type) throw status.unknownPath();
  const eviction = await admitted(context, type, await readObject(context, type), dryRun);
  const options = deleteOptions(eviction, dryRun);
  // A missing pod is reported first, whatever the options are.
  const entry = await getObject(context, resource, info.name, '');
  validateDeleteOptions(options, server.names.domain);
  const pod = server.views.of(entry, resource.hub).object;
  const budget = needsBudget(pod) ? theBudget(context, pod) : undefined;
  if (budget && isSpare(pod, budget)) await deleteSpare(context, resource, pod, options, budget);
  else {
    if (budget) await takeFrom(context, budget, pod, dryRun || (options.dryRun ?? []).length > 0);
    await deleteObject(context, resource, info.name, options, () => Promise.resolve());
  }
  return {
    type: 'document',
    code: 201,
    value: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
  };
}

/** Whether the request is a dry run; throws if it is not a POST. */
function openEviction({ request, query, server }: ResourceContext): boolean {
  const refusal = 'the server does not allow this method on the requested resource';
  if (request.method !== 'POST') throw status.failure(405, 'MethodNotAllowed', refusal, {});
  return writeOptions(query, 'create', server.names.domain).dryRun;
}

/** The eviction after mutating admission. Its name is checked between the mutating and the validating plugins. */
async function admitted(
  context: ResourceContext,
  type: Resource,
  eviction: ApiObject,
  dryRun: boolean,
): Promise<ApiObject> {
  const admission = {
    operation: 'CREATE' as const,
    resource: type,
    name: context.info.name,
    object: eviction,
    old: undefined,
    dryRun,
    options: optionsObject(context, 'CreateOptions', {}),
  };
  const object = await mutate(context, admission);
  if (object.metadata.name !== context.info.name)
    throw status.badRequest('name in URL does not match name in Eviction object');
  await validate(context, { ...admission, object });
  return object;
}

function deleteOptions(eviction: ApiObject, dryRun: boolean): DeleteOptions {
  const options = readDeleteOptions(eviction['deleteOptions']);
  return dryRun ? { ...options, dryRun: ['All'] } : options;
}

/** Pods that do not run yet, or have ended, affect no budget. */
function needsBudget(pod: ApiObject): boolean {
  const phase = isObject(pod['status']) ? pod['status']['phase'] : undefined;
  return (
    phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending' && pod.metadata.deletionTimestamp === undefined
  );
}

/** In this API version an empty selector selects nothing, and a pod without labels has no budget. */
function covers({ spec }: Budget, { metadata: { labels = {} } }: ApiObject): boolean {
  if (Object.keys(labels).length === 0) return false;
  const selector = selectorOfObject(spec?.selector);
  return !selector.matchesEverything && selector.matches(labels);
}

interface Budget extends ApiObject {
  spec?: { selector?: LabelSelector };
  status?: {
    disruptionsAllowed?: number;
    observedGeneration?: number;
    disruptedPods?: Record<string, string>;
    desiredHealthy?: number;
    currentHealthy?: number;
  };
}

const budgetType = ({ server }: ResourceContext): Resource | undefined =>
  server.scheme.byResource({ group: 'policy', version: 'v1beta1', resource: 'poddisruptionbudgets' });

/** The budget of the pod; throws if there are several. */
function theBudget(context: ResourceContext, pod: ApiObject): Budget | undefined {
  const { server } = context;
  const type = budgetType(context);
  if (!type) return undefined;
  const namespace = pod.metadata.namespace ?? '';
  const budgets = server.storage
    .range(collectionRange(type.hub, namespace))
    .entries.map((e) => server.views.of(e, type.hub).object as Budget);
  const matching = budgets.filter((budget) => covers(budget, pod));
  if (matching.length > 1)
    throw unexpected(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  return matching[0];
}

/** An unready pod is not counted by any budget: if enough other pods are healthy, its eviction disrupts none. */
function isSpare(pod: ApiObject, { status: { desiredHealthy = 0, currentHealthy = 0 } = {} }: Budget): boolean {
  const { conditions = [] } = (pod['status'] ?? {}) as { conditions?: { type?: string; status?: string }[] };
  const ready = conditions.find(({ type }) => type === 'Ready')?.status === 'True';
  return !ready && desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** Deletes the pod at the revision that was read, because it may have become ready since. */
async function deleteSpare(
  context: ResourceContext,
  resource: Resource,
  pod: ApiObject,
  options: DeleteOptions,
  budget: Budget,
): Promise<void> {
  const { resourceVersion } = pod.metadata;
  const preconditions = { ...(resourceVersion === undefined ? {} : { resourceVersion }), ...options.preconditions };
  try {
    await deleteObject(context, resource, context.info.name, { ...options, preconditions }, () => Promise.resolve());
  } catch (error) {
    const raced = options.preconditions?.resourceVersion === undefined;
    throw raced && isConflict(error) ? beingProcessed(budget.metadata.name ?? '') : error;
  }
}

async function takeFrom(context: ResourceContext, budget: Budget, pod: ApiObject, dryRun: boolean): Promise<void> {
  const type = budgetType(context);
  if (!type) return;
  const { server } = context;
  const name = budget.metadata.name ?? '';
  const updater = async (existing: ApiObject | undefined): Promise<ApiObject> => {
    if (!existing) throw status.notFound(groupResource(type), name);
    const next = charged(context, clone(existing) as Budget, pod);
    return ownFields(context, type, existing, next, server.names.fill('{prefix}-apiserver'));
  };
  await updateObject(context, type, name, updater, {
    mode: 'status',
    dryRun,
    validate: () => Promise.resolve(),
  });
}

/** The budget after one more disruption; throws 429 if it allows none. */
function charged(context: ResourceContext, budget: Budget, pod: ApiObject): Budget {
  const state = budget.status ?? {};
  const name = budget.metadata.name ?? '';
  if ((state.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) throw beingProcessed(name);
  if ((state.disruptionsAllowed ?? 0) < 0)
    throw status.forbidden(
      { group: 'policy', resource: 'poddisruptionbudget' },
      name,
      'pdb disruptions allowed is negative',
    );
  if (Object.keys(state.disruptedPods ?? {}).length > DISRUPTED_MAX)
    throw status.forbidden(
      { group: 'policy', resource: 'poddisruptionbudget' },
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  if ((state.disruptionsAllowed ?? 0) === 0) throw refused(needs(name, state));
  const disrupted = { ...state.disruptedPods, [pod.metadata.name ?? '']: rfc3339(context.server.clock.now()) };
  budget.status = { ...state, disruptionsAllowed: (state.disruptionsAllowed ?? 0) - 1, disruptedPods: disrupted };
  return budget;
}

const isConflict = (error: unknown): boolean =>
  error instanceof status.StatusError && error.status.reason === 'Conflict';

const beingProcessed = (name: string): Error =>
  refused(`The disruption budget ${name} is still being processed by the server.`);

const needs = (name: string, { desiredHealthy = 0, currentHealthy = 0 }: NonNullable<Budget['status']>): string =>
  `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;

function refused(message: string): Error {
  const cause = { reason: 'DisruptionBudget', message };
  return status.failure(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [cause],
  });
}
