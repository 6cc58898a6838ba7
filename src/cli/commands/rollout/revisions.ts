/** The revisions of a workload: replica sets of a deployment, controller revisions of others. */
import type { Client, DiscoveredResource } from '../../../client/index.ts';
import { isControlledBy, selectorOfObject, type ApiObject, type LabelSelector } from '../../../schema/index.ts';
import { getOwn, isObject } from '../../../std/index.ts';
import type { Call } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import type { Found } from '../../server/selected.ts';
import { findResource } from '../../server/served.ts';
import type { Workload } from './named.ts';

export interface Revision {
  readonly number: number;
  /** Why it came about, as somebody has noted; empty where nobody did. */
  readonly cause: string;
  readonly template: unknown;
  /** The annotations of what keeps the revision. */
  readonly annotations: Readonly<Record<string, string>>;
}

const REVISION = /^deployment\.[^/]+\/revision$/;

/** The revision that a deployment or one of its replica sets is at; 0 where there is none. */
export function revisionOf({ metadata: { annotations = {} } }: ApiObject): number {
  const key = Object.keys(annotations).find((each) => REVISION.test(each));
  return Number(key === undefined ? 0 : (getOwn(annotations, key) ?? 0));
}

/** The revisions of a workload, the first one first. Throws for kinds that keep none. */
export async function revisionsOf(call: Call, found: Found): Promise<readonly Revision[]> {
  const { client, session } = call;
  const { kind } = found.resource;
  if (kind === 'Deployment') {
    const sets = await ownedBy(client, await findResource(session, client, 'replicasets.apps'), found);
    const revisions = sets.map((set) => ({
      number: revisionOf(set),
      cause: causeOf(set, client),
      template: (set as Workload).spec?.template,
      annotations: set.metadata.annotations ?? {},
    }));
    return ordered(revisions);
  }
  if (kind !== 'DaemonSet' && kind !== 'StatefulSet')
    throw complaint(`no history viewer has been implemented for ${JSON.stringify(kind)}`);
  const all = await ownedBy(client, await findResource(session, client, 'controllerrevisions.apps'), found);
  const revisions = all.map((each) => ({
    number: Number((each as { readonly revision?: number }).revision ?? 0),
    cause: causeOf(each, client),
    template: templateIn((each as { readonly data?: unknown }).data),
    annotations: each.metadata.annotations ?? {},
  }));
  return ordered(revisions);
}

const causeOf = ({ metadata }: ApiObject, { names }: Client): string =>
  getOwn(metadata.annotations, names.fill('{label}/change-cause')) ?? '';

const ordered = (revisions: readonly Revision[]): readonly Revision[] =>
  revisions.filter(({ number }) => number > 0).sort((a, b) => a.number - b.number);

/** What a controller revision keeps is a patch that replaces the template. */
function templateIn(data: unknown): unknown {
  const spec = isObject(data) ? data['spec'] : undefined;
  const template = isObject(spec) ? spec['template'] : undefined;
  if (!isObject(template)) return undefined;
  const { $patch: _, ...rest } = template;
  return rest;
}

async function ownedBy(
  client: Client,
  resource: DiscoveredResource,
  { namespace, object }: Found,
): Promise<readonly ApiObject[]> {
  const selector = selectorOfObject((object as Workload).spec?.selector as LabelSelector);
  const { items } = await client.of(resource).list({ namespace });
  return items.filter((each) => selector.matches(each.metadata.labels ?? {}) && isControlledBy(each, object));
}
