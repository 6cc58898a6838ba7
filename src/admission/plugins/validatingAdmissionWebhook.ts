/** ValidatingAdmissionWebhook: calls all matching webhooks concurrently; each may refuse. */
import type { objects } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { invocationOf, type Invocation } from '../webhooks/match.ts';
import { consult } from '../webhooks/outcome.ts';

const NAME = 'ValidatingAdmissionWebhook';

export const validatingAdmissionWebhook: PluginDeclaration = {
  name: NAME,
  on: true,
  create: (deps) => ({ name: NAME, handles: () => true, validate: (attributes) => askMatching(attributes, deps) }),
};

/** Usually there are no webhooks, and nothing to wait for. */
function askMatching(attributes: AdmissionAttributes, deps: PluginDeps): Promise<void> | undefined {
  const invocations = matching(attributes, deps);
  return invocations.length === 0 ? undefined : askAll(invocations, attributes, deps);
}

/** Waits for all, even after a refusal; of several refusals the first to arrive is returned. */
async function askAll(
  invocations: readonly Invocation[],
  attributes: AdmissionAttributes,
  deps: PluginDeps,
): Promise<void> {
  const refusals: unknown[] = [];
  await Promise.all(
    invocations.map((invocation) =>
      consult(invocation, attributes, deps, 'validating', () => undefined).catch((refusal: unknown) =>
        refusals.push(refusal),
      ),
    ),
  );
  if (refusals.length > 0) throw refusals[0];
}

function matching(attributes: AdmissionAttributes, deps: PluginDeps): Invocation[] {
  const type = {
    group: deps.names.fill('admissionregistration.{domain}'),
    resource: 'validatingwebhookconfigurations',
  };
  const configurations = deps.list(type, '') as readonly objects.ValidatingWebhookConfiguration[];
  return configurations.flatMap(({ metadata, webhooks }) =>
    (webhooks ?? []).flatMap((webhook, i) => invocationOf(metadata?.name ?? '', webhook, i, attributes, deps) ?? []),
  );
}
