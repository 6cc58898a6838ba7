/** What a person does to webhooks. Each says how it went. */
import type { Client } from '../../../client/index.ts';
import { StatusError, type ApiObject } from '../../../schema/index.ts';
import { delay } from '../../../std/index.ts';
import { retryApply } from '../../editor/retryApply.ts';
import { asText, at } from '../../stores/jsonValues.ts';
import { pageClock } from '../../stores/liveObjects.ts';
import { resourceOfKind, useResources, type Resource } from '../../stores/resources.ts';
import { switchCluster, theCluster } from '../../stores/session.ts';
import type { Write } from '../../stores/writes.ts';
import { definitionOf } from './definition.ts';
import type { WebhookExample } from './examples.ts';
import type { Wiring } from './wiring.ts';
import { configMapOf, configurationOf, serviceOf, withChanges, type Knob, type Written } from './written.ts';

function resourceOf({ apiVersion = '', kind = '' }: ApiObject): Resource {
  const found = resourceOfKind(useResources.getState().versions, apiVersion, kind);
  if (!found) throw new Error(`The server has no ${kind} of ${apiVersion}.`);
  return found;
}

/** Creates an object; one that is there already is left as it is. */
async function ensure(client: Client, object: ApiObject): Promise<void> {
  const { namespace } = object.metadata;
  try {
    await client.of(resourceOf(object)).create(object, namespace ? { namespace } : {});
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
  }
}

/** The cluster's own authority, which signs what webhooks serve with; every namespace gets its certificate, soon after the cluster is open. */
async function readAuthority(client: Client, namespace: string): Promise<string> {
  const { names } = theCluster();
  const like = { ...configMapOf('', namespace, ''), metadata: { name: names.fill('{prefix}-root-ca.crt'), namespace } };
  const read = () => client.of(resourceOf(like as ApiObject)).get(like.metadata.name, namespace);
  const published = await retryApply(read, new Set(), (ms) => delay(pageClock, ms));
  return asText(at(published, 'data', 'ca.crt'));
}

/** Writes an example: its service, its code, and what has admission ask it. */
export const exampleWriting = (example: WebhookExample, namespace: string): Write => ({
  label: example.title,
  done: `The webhook ${example.name} was written.`,
  failed: `The webhook ${example.name} was not written.`,
  send: async (client) => {
    await ensure(client, serviceOf(example.name, namespace));
    await ensure(client, configMapOf(example.name, namespace, example.code));
    const { names } = theCluster();
    if (example.askedBy === 'conversion')
      await ensure(client, definitionOf(example.name, namespace, await readAuthority(client, namespace), names));
    if (example.askedBy === 'mutating' || example.askedBy === 'validating')
      await ensure(client, configurationOf(example, namespace, await readAuthority(client, namespace), names));
  },
});

export const webhookSaving = (written: Written, code: string, knobs: Readonly<Record<Knob, string>>): Write => ({
  label: 'Save',
  done: `${written.name} answers by its new code.`,
  failed: `${written.name} was not saved.`,
  send: (client) => {
    const next = withChanges(written, code, knobs);
    return client.of(resourceOf(next)).update(next);
  },
});

/** The configuration of an admission webhook goes with it: what nobody answers would refuse everything. */
export const webhookDeletion = ({ object, name, namespace }: Written, example: WebhookExample | undefined): Write => ({
  label: 'Delete',
  done: `${name} was deleted.`,
  failed: `${name} was not deleted.`,
  send: async (client) => {
    if (example?.rule) {
      const configuration = configurationOf(example, namespace, '', theCluster().names);
      await client
        .of(resourceOf(configuration))
        .delete({ metadata: { name } })
        .catch(() => undefined);
    }
    await client
      .of(resourceOf(serviceOf(name, namespace)))
      .delete({ metadata: { name, namespace } })
      .catch(() => undefined);
    await client.of(resourceOf(object)).delete({ metadata: { name, namespace } });
  },
});

/** Flags of which one counts; the others are lists, to which more is added. */
const SINGLE = /^--(authorization-mode|config|[a-z-]+-file)=/;

/** Restarts the cluster with the flags of a wiring added, or in the place of those of the same names. */
export async function restartWith({ component, flags, files }: Wiring): Promise<void> {
  const { options } = theCluster().cluster;
  const replaced = new Set(flags.map((flag) => SINGLE.exec(flag)?.[0]).filter((name) => name !== undefined));
  const others = (options[component] ?? []).filter((flag) => !replaced.has(SINGLE.exec(flag)?.[0] ?? ''));
  await switchCluster({ ...options, [component]: [...others, ...flags], files: { ...options.files, ...files } });
}
