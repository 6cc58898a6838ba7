/** ValidatingAdmissionWebhook: asks all matching webhooks at once; any of them may refuse. */
import type { objects } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { call, CallError, failed, refusal, requireDryRun } from '../webhooks/call.ts';
import { invocationOf, type Invocation } from '../webhooks/match.ts';

const NAME = 'ValidatingAdmissionWebhook';

export const validatingAdmissionWebhook: PluginDeclaration = {
  name: NAME,
  on: true,
  create: (deps) => ({ name: NAME, handles: () => true, validate: (attributes) => ask(attributes, deps) }),
};

async function ask(attributes: AdmissionAttributes, deps: PluginDeps): Promise<void> {
  const invocations = matching(attributes, deps);
  for (const { webhook } of invocations) requireDryRun(webhook, attributes);
  const outcomes = await Promise.all(invocations.map((invocation) => verdictOf(invocation, attributes, deps)));
  const refused = outcomes.find((outcome) => outcome !== undefined);
  if (refused) throw refused;
}

function matching(attributes: AdmissionAttributes, deps: PluginDeps): Invocation[] {
  const type = {
    group: deps.names.fill('admissionregistration.{domain}'),
    resource: 'validatingwebhookconfigurations',
  };
  const configurations = deps.list(type, '') as unknown as readonly objects.ValidatingWebhookConfiguration[];
  return configurations.flatMap(({ metadata, webhooks }) =>
    (webhooks ?? []).flatMap((webhook, i) => invocationOf(metadata?.name ?? '', webhook, i, attributes, deps) ?? []),
  );
}

async function verdictOf(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
): Promise<Error | undefined> {
  const { webhook } = invocation;
  try {
    const verdict = await call(invocation, attributes, deps);
    for (const warning of verdict.warnings) attributes.addWarning(warning);
    for (const [key, value] of Object.entries(verdict.auditAnnotations))
      attributes.addAuditAnnotation(`${webhook.name}/${key}`, value);
    return verdict.allowed ? undefined : refusal(webhook.name, verdict.status);
  } catch (error) {
    if (error instanceof CallError) return failed(webhook, error);
    throw error;
  }
}
