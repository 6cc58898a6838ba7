/** Makes a draft true: changes nodes, and the pod or what makes it. */
import type { Client, ResourceRef } from '../../../client/index.ts';
import { controllerOf, isReason, type ApiObject } from '../../../schema/index.ts';
import { deepEqual } from '../../../std/index.ts';
import type { SchedulingDraft } from '../../scheduling.ts';
import { at } from '../../stores/jsonValues.ts';
import { findResource, resourceOfKind, useResources } from '../../stores/resources.ts';
import type { Write } from '../../stores/writes.ts';
import { nodePatch, successorOf, templateSpecWith } from './draftObject.ts';
import { ownerOf, type Subject } from './subject.ts';

const resource = (group: string, plural: string): ResourceRef => {
  const found = findResource(useResources.getState().resources, group, plural);
  if (!found) throw new Error(`The server serves no ${plural}.`);
  return found;
};

/** Why a draft can't be applied; undefined where it can. */
export function obstacleTo(draft: SchedulingDraft, subject: Subject): string | undefined {
  if (draft.weights || draft.profile !== undefined)
    return 'Weights and profiles belong to the scheduler’s configuration: restart with another one under Settings.';
  if (draft.withoutNodes || draft.withoutPods) return 'What the draft removes has to be deleted by hand.';
  const priority = draft.pod && at(draft.pod, 'spec', 'priority');
  if (draft.pod && priority !== (subject.pod && at(subject.pod, 'spec', 'priority')))
    return 'A priority comes from a PriorityClass: make one, and name it in the pod.';
  const isMade = subject.kind === 'deployment' || ownerOf(subject.pod) !== undefined;
  if (isMade && draft.pod && !deepEqual(draft.pod.metadata.labels, subject.pod?.metadata.labels))
    return 'The pod’s controller finds it by its labels: change them there, together with the selector.';
  return undefined;
}

/** What a press of the button does to the pod. */
export function applyText({ pod: drafted }: SchedulingDraft, { kind, pod }: Subject): string {
  if (!drafted) return 'Apply to the nodes';
  const owner = ownerOf(pod);
  if (kind === 'deployment' || owner)
    return `Change the ${owner?.kind === 'ReplicaSet' ? 'template' : (owner?.kind ?? 'template')}`;
  return 'Replace the pod';
}

/** Applies a draft. */
export const applyingDraft = (draft: SchedulingDraft, subject: Subject, nodes: readonly ApiObject[]): Write => ({
  label: applyText(draft, subject),
  done: 'The draft was applied.',
  failed: 'The draft was not applied.',
  send: async (client) => {
    for (const node of draft.nodes ?? []) await applyNode(client, node, nodes);
    if (draft.pod && subject.pod) await applyPod(client, draft.pod, subject.pod, subject);
  },
});

async function applyNode(page: Client, drafted: ApiObject, nodes: readonly ApiObject[]): Promise<void> {
  const client = page.of(resource('', 'nodes'));
  const node = nodes.find(({ metadata }) => metadata.name === drafted.metadata.name);
  if (node) await client.patch(node, 'merge', nodePatch(node, drafted));
  else await client.create(simulated(drafted));
}

/** Nodes that people make have an agent only where they ask for one. */
const simulated = (node: ApiObject): ApiObject => ({
  ...node,
  metadata: {
    ...node.metadata,
    annotations: { ...node.metadata.annotations, 'simulation.vitrine.dev/agent': 'true' },
  },
});

async function applyPod(client: Client, drafted: ApiObject, pod: ApiObject, { kind, object }: Subject): Promise<void> {
  const maker = kind === 'deployment' ? object : await makerOf(client, pod);
  if (!maker) return replacePod(client, drafted, pod);
  const ref = resourceOfKind(useResources.getState().resources, maker.apiVersion ?? '', maker.kind ?? '');
  const template = at(maker, 'spec', 'template', 'spec');
  if (!ref || template === undefined)
    throw new Error(`${maker.kind} ${maker.metadata.name} has no template to change.`);
  const spec = templateSpecWith(template, pod, drafted);
  await client.of(ref).patch(maker, 'json', [
    { op: 'test', path: '/metadata/resourceVersion', value: maker.metadata.resourceVersion },
    { op: 'replace', path: '/spec/template/spec', value: spec },
  ]);
}

/** What makes pods like this one: its owner, or its owner's owner. */
async function makerOf(client: Client, pod: ApiObject): Promise<ApiObject | undefined> {
  let maker: ApiObject | undefined;
  for (let next: ApiObject | undefined = pod; next; next = await ownerObject(client, next))
    if (next !== pod) maker = next;
  return maker;
}

async function ownerObject(client: Client, object: ApiObject): Promise<ApiObject | undefined> {
  const owner = controllerOf(object);
  const ref = owner && resourceOfKind(useResources.getState().resources, owner.apiVersion, owner.kind);
  if (!owner || !ref) return undefined;
  const found = await client.of(ref).get(owner.name, object.metadata.namespace);
  return { apiVersion: owner.apiVersion, kind: owner.kind, ...found };
}

/** A pod's requests never change, so it is deleted and made again. */
async function replacePod(page: Client, drafted: ApiObject, pod: ApiObject): Promise<void> {
  const client = page.of(resource('', 'pods'));
  const successor = successorOf(drafted);
  await client.create(successor, { dryRun: true }).catch(onlyExists);
  await client.delete(pod, { gracePeriodSeconds: 0 });
  await client.create(successor);
}

/** The one that is there is in the way of the rehearsal; everything else that is wrong must be known before it is deleted. */
function onlyExists(problem: unknown): void {
  if (!isReason(problem, 'AlreadyExists')) throw problem;
}
