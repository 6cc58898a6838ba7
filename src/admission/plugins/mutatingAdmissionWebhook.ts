/** MutatingAdmissionWebhook: asks matching webhooks one after the other; each sees what the ones before it made of the object. */
import { jsonPatch } from '../../merge/index.ts';
import { DecodeError, StatusError, status, type ApiObject, type objects } from '../../schema/index.ts';
import { clone, deepEqual } from '../../std/index.ts';
import type { AdmissionAttributes, AdmissionContext, PluginDeclaration, PluginDeps } from '../types.ts';
import { call, CallError, failed, refusal, requireDryRun } from '../webhooks/call.ts';
import { invocationOf, type Invocation } from '../webhooks/match.ts';

const NAME = 'MutatingAdmissionWebhook';

export const mutatingAdmissionWebhook: PluginDeclaration = {
  name: NAME,
  on: true,
  create: (deps) => {
    /** What each webhook left behind in the first pass of a request, so that the second asks only where others changed it. */
    const seen = new WeakMap<AdmissionAttributes, Map<string, ApiObject | undefined>>();
    return { name: NAME, handles: () => true, admit: (attributes, context) => askAll(attributes, context, deps, seen) };
  },
};

type Seen = WeakMap<AdmissionAttributes, Map<string, ApiObject | undefined>>;

async function askAll(
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  deps: PluginDeps,
  seen: Seen,
): Promise<void> {
  const left = seen.get(attributes) ?? new Map<string, ApiObject | undefined>();
  seen.set(attributes, left);
  let index = 0;
  for (const { metadata, webhooks } of configurations(deps)) {
    for (const [i, webhook] of (webhooks ?? []).entries()) {
      const invocation = invocationOf(metadata?.name ?? '', webhook, i, attributes, deps);
      if (!invocation) continue;
      const key = `${invocation.configuration}/${i}`;
      if (
        context.reinvocation &&
        (webhook.reinvocationPolicy !== 'IfNeeded' || deepEqual(left.get(key), attributes.object))
      )
        continue;
      requireDryRun(webhook, attributes);
      const changed = await ask(invocation, attributes, deps, { round: context.reinvocation ? 1 : 0, index: index++ });
      left.set(key, attributes.object && clone(attributes.object));
      if (changed && !context.reinvocation) context.reinvoke();
    }
  }
}

function configurations({ list, names }: PluginDeps): readonly objects.MutatingWebhookConfiguration[] {
  return list(
    { group: names.fill('admissionregistration.{domain}'), resource: 'mutatingwebhookconfigurations' },
    '',
  ) as unknown as readonly objects.MutatingWebhookConfiguration[];
}

interface Turn {
  readonly round: number;
  readonly index: number;
}

/** True when the webhook changed the object. */
async function ask(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
  turn: Turn,
): Promise<boolean> {
  const { webhook, configuration } = invocation;
  let verdict;
  try {
    verdict = await call(invocation, attributes, deps);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const refused = failed(webhook, error);
    if (refused) throw refused;
    return false;
  }
  for (const warning of verdict.warnings) attributes.addWarning(warning);
  for (const [key, value] of Object.entries(verdict.auditAnnotations))
    attributes.addAuditAnnotation(`${webhook.name}/${key}`, value);
  if (!verdict.allowed) throw refusal(webhook.name, verdict.status);
  const changed =
    verdict.patch !== undefined &&
    attributes.object !== undefined &&
    apply(invocation, attributes, verdict.patch, deps);
  annotate(
    attributes,
    deps,
    turn,
    { configuration, webhook: webhook.name, mutated: changed },
    changed ? verdict.patch : undefined,
  );
  return changed;
}

function apply(
  { resource, webhook }: Invocation,
  attributes: AdmissionAttributes,
  patch: unknown,
  { scheme }: PluginDeps,
): boolean {
  const before = attributes.object as ApiObject;
  try {
    const shown = scheme.convert(clone(before), resource.hub, resource);
    const patched = scheme.decode(resource.node, jsonPatch(shown, patch)) as ApiObject;
    scheme.applyDefaults(resource, patched);
    attributes.object = scheme.convert(patched, resource, resource.hub);
  } catch (error) {
    const wrong = error instanceof DecodeError || error instanceof StatusError;
    if (wrong)
      throw status.internalError(
        `the patch of webhook ${JSON.stringify(webhook.name)} can't be applied: ${error.message}`,
      );
    throw error;
  }
  return !deepEqual(before, attributes.object);
}

/** What the audit log tells of each invocation (specification, Events 4). */
function annotate(
  attributes: AdmissionAttributes,
  { names }: PluginDeps,
  { round, index }: Turn,
  mutation: object,
  patch: unknown,
): void {
  const suffix = `webhook.admission.${names.label}/round_${round}_index_${index}`;
  attributes.addAuditAnnotation(`mutation.${suffix}`, JSON.stringify(mutation));
  if (patch !== undefined)
    attributes.addAuditAnnotation(`patch.${suffix}`, JSON.stringify({ ...mutation, patch, patchType: 'JSONPatch' }));
}
