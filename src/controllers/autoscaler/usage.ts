/** Reads pod usage from the metrics API. */
import type { Client } from '../../client/index.ts';
import { isReason, quantityOf } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import { messageOf } from '../runtime/index.ts';

/** The total usage of a pod's containers in thousandths, by pod name; or why the metrics API failed. */
export type ServedUsage = ReadonlyMap<string, Readonly<Record<string, number>>> | Error;

/** The usage of a namespace's pods from the metrics API. */
export async function servedUsage(client: Client, namespace: string, labelSelector: string): Promise<ServedUsage> {
  const path = `/apis/${client.names.fill('metrics.{domain}')}/v1beta1/namespaces/${namespace}/pods`;
  try {
    const list = await client.json(path, { query: { labelSelector } });
    const items = isObject(list) && Array.isArray(list.items) ? (list.items as PodMetrics[]) : [];
    return new Map(items.map(({ metadata, containers = [] }) => [metadata.name, sumOf(containers)]));
  } catch (problem) {
    return new Error(apiFailureReason(problem, `pods.${client.names.fill('metrics.{domain}')}`));
  }
}

/** Why an API failed. A missing API has no reason of its own; then the message names `resource`. */
export function apiFailureReason(problem: unknown, resource: string): string {
  if (isReason(problem, 'NotFound')) return `the server could not find the requested resource (get ${resource})`;
  return messageOf(problem);
}

interface PodMetrics {
  readonly metadata: { readonly name: string };
  readonly containers?: readonly { readonly usage?: Readonly<Record<string, string>> }[];
}

function sumOf(containers: NonNullable<PodMetrics['containers']>): Readonly<Record<string, number>> {
  const sum = new Map<string, number>();
  for (const { usage = {} } of containers)
    for (const [name, text] of Object.entries(usage))
      sum.set(name, (sum.get(name) ?? 0) + quantityOf(text).milliValue());
  return Object.fromEntries(sum);
}
