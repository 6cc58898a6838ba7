/** MutatingAdmissionWebhook: calls matching webhooks one after another; each sees the changes of the earlier ones. */
import { jsonPatch } from '../../merge/index.ts';
import { DecodeError, StatusError, status, type ApiObject, type objects } from '../../schema/index.ts';
import { clone, deepEqual } from '../../std/index.ts';
import type { AdmissionAttributes, AdmissionContext, PluginDeclaration, PluginDeps } from '../types.ts';
import { invocationOf, type Invocation } from '../webhooks/match.ts';
import { consult } from '../webhooks/outcome.ts';
import { Reinvocation } from '../webhooks/reinvocation.ts';
import { sourceOf } from '../webhooks/review.ts';

const NAME = 'MutatingAdmissionWebhook';

export const mutatingAdmissionWebhook: PluginDeclaration = {
  name: NAME,
  on: true,
  create: (deps) => {
    const reinvocations = new WeakMap<AdmissionAttributes, Reinvocation>();
    const admit = (attributes: AdmissionAttributes, context: AdmissionContext): Promise<void> | undefined => {
      const webhooks = webhooksOf(deps);
      // Usually there are no webhooks, and nothing to wait for.
      if (webhooks.length === 0) return undefined;
      const reinvocation = reinvocations.get(attributes) ?? new Reinvocation();
      reinvocations.set(attributes, reinvocation);
      return askAll(webhooks, attributes, context, deps, reinvocation);
    };
    return { name: NAME, handles: () => true, admit };
  },
};

async function askAll(
  webhooks: readonly Listed[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  deps: PluginDeps,
  reinvocation: Reinvocation,
): Promise<void> {
  const round = context.reinvocation ? 1 : 0;
  if (context.reinvocation) reinvocation.beginAgain(attributes.object);
  for (const [index, { configuration, webhook, place }] of webhooks.entries()) {
    const key = `${configuration}/${place}`;
    const invocation = invocationOf(configuration, webhook, place, attributes, deps);
    // Webhooks not called in the first pass are not called in the second, even if they match now.
    if (!invocation || (context.reinvocation && !reinvocation.wants(key))) continue;
    if (await ask(invocation, attributes, deps, { round, index })) {
      reinvocation.changed();
      context.reinvoke();
    }
    if (webhook.reinvocationPolicy === 'IfNeeded') reinvocation.asked(key);
  }
  reinvocation.leave(attributes.object);
}

interface Listed {
  readonly configuration: string;
  readonly webhook: objects.MutatingWebhook;
  readonly place: number;
}

/** All webhooks: configurations sorted by name, each with its webhooks in order. */
function webhooksOf({ list, names }: PluginDeps): Listed[] {
  const type = { group: names.fill('admissionregistration.{domain}'), resource: 'mutatingwebhookconfigurations' };
  const configurations = list(type, '') as readonly objects.MutatingWebhookConfiguration[];
  return configurations.flatMap(({ metadata, webhooks }) =>
    (webhooks ?? []).map((webhook, place) => ({ configuration: metadata?.name ?? '', webhook, place })),
  );
}

interface Turn {
  readonly round: number;
  readonly index: number;
}

/**
 * Returns whether the webhook changed the object. The audit log records the call in any case (specification, Events 4).
 */
async function ask(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
  { round, index }: Turn,
): Promise<boolean> {
  const { webhook, configuration } = invocation;
  const suffix = deps.names.fill(`webhook.admission.{domain}/round_${round}_index_${index}`);
  const about = { configuration, webhook: webhook.name };
  let mutated = false;
  try {
    await consult(invocation, attributes, deps, 'admit', async ({ patch: text }) => {
      const patch = operationsIn(text);
      if (patch.length === 0) return;
      mutated = await apply(invocation, attributes, patch, deps);
      const told = JSON.stringify({ ...about, patch, patchType: 'JSONPatch' });
      attributes.addAuditAnnotation(`patch.${suffix}`, told, 'Request');
    });
  } finally {
    attributes.addAuditAnnotation(`mutation.${suffix}`, JSON.stringify({ ...about, mutated }));
  }
  return mutated;
}

function operationsIn(text: string): readonly unknown[] {
  if (text === '') return [];
  try {
    const patch: unknown = JSON.parse(text);
    if (Array.isArray(patch)) return patch;
  } catch {
    // Invalid JSON: the error is thrown below.
  }
  throw status.internalError('the patch of a webhook has to be a JSON list of operations');
}

async function apply(
  { resource, webhook }: Invocation,
  attributes: AdmissionAttributes,
  patch: readonly unknown[],
  { scheme }: PluginDeps,
): Promise<boolean> {
  const before = attributes.object;
  if (!before || attributes.operation === 'DELETE')
    throw status.internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  try {
    const source = sourceOf(scheme, attributes.resource, resource);
    const shown = await scheme.converted(clone(before), source, resource);
    const patched = scheme.decode(resource.node, jsonPatch(shown, patch)) as ApiObject;
    scheme.applyDefaults(resource, patched);
    attributes.object = await scheme.converted(patched, resource, source);
  } catch (error) {
    if (error instanceof DecodeError || error instanceof StatusError) throw status.internalError(error.message);
    throw error;
  }
  return !deepEqual(before, attributes.object);
}
