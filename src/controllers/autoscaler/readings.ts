/** Reads the metrics of an autoscaler from the custom and external metrics APIs. */
import type { Client, DiscoveredResource, HorizontalPodAutoscaler } from '../../client/index.ts';
import { groupOf, labelSelectorText, quantityOf } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import { messageOf } from '../runtime/index.ts';
import { apiFailureReason } from './usage.ts';

export type MetricSpec = NonNullable<HorizontalPodAutoscaler['spec']['metrics']>[number];
type Metric = NonNullable<MetricSpec['pods']>['metric'];

/** One value of a metric, in thousandths, and the object that it describes, if any. */
export interface Value {
  readonly of: string | undefined;
  readonly value: number;
}

/** The values of a metric, at least one, or why it is unavailable. */
export type Reading = readonly Value[] | Error;

/** The namespace and pods whose metrics are read. */
export interface Reader {
  readonly client: Pick<Client, 'json' | 'names'>;
  readonly served: { resourceInGroup(group: string, kind: string): Promise<Pick<DiscoveredResource, 'resource'>> };
  readonly namespace: string;
  /** Selects the target's pods. */
  readonly podSelector: string;
}

/** Reads each pod, object and external metric, but not resource metrics. */
export async function readMetrics(
  reader: Reader,
  metrics: readonly MetricSpec[],
): Promise<ReadonlyMap<MetricSpec, Reading>> {
  const isCustom = metrics.some(({ pods, object }) => pods ?? object);
  const api = isCustom ? customApi(reader.client) : Promise.resolve('');
  const read = async (spec: MetricSpec): Promise<[MetricSpec, Reading][]> => {
    if (spec.pods) return [[spec, await readCustom(reader, api, spec.pods.metric)]];
    if (spec.object) return [[spec, await readCustom(reader, api, spec.object.metric, spec.object.describedObject)]];
    return spec.external ? [[spec, await readExternal(reader, spec.external.metric)]] : [];
  };
  return new Map((await Promise.all(metrics.map(read))).flat());
}

const CUSTOM_VERSIONS = ['v1beta2', 'v1beta1'];

/** Reads a metric of the target's pods or of one object below the path of the `api`. */
async function readCustom(
  reader: Reader,
  api: Promise<string>,
  metric: Metric,
  object?: NonNullable<MetricSpec['object']>['describedObject'],
): Promise<Reading> {
  const { client, namespace, podSelector } = reader;
  try {
    const base = await api;
    const query = { metricLabelSelector: textOf(metric), ...(object ? {} : { labelSelector: podSelector }) };
    const what = object ? await pathOf(reader, object) : ['pods', '*'];
    const path = [base, 'namespaces', namespace, ...what, metric.name].join('/');
    const [resource, ...name] = what;
    const asked = [`${resource}.${client.names.fill('custom.metrics.{domain}')}`, ...name].join(' ');
    const values = await valuesAt(client, path, query, asked);
    if (object && values.length !== 1)
      throw new Error(`the custom metrics API server returned ${values.length} results when we asked for exactly one`);
    return values.length > 0 ? values : new Error('no metrics returned from custom metrics API');
  } catch (problem) {
    return new Error(`unable to fetch metrics from custom metrics API: ${messageOf(problem)}`);
  }
}

/**
 * The path of the custom metrics API, in the server's preferred version if it is supported here. Throws if it is not
 * served.
 */
async function customApi(client: Reader['client']): Promise<string> {
  const group = client.names.fill('custom.metrics.{domain}');
  const all = await client.json('/apis');
  const groups = isObject(all) && Array.isArray(all.groups) ? (all.groups as ServedGroup[]) : [];
  const found = groups.find(({ name }) => name === group);
  if (!found) throw new Error(`no custom metrics API (${group}) registered`);
  const known = [found.preferredVersion, ...found.versions].find(({ version }) => CUSTOM_VERSIONS.includes(version));
  if (!known) throw new Error('no known available metric versions found');
  return `/apis/${group}/${known.version}`;
}

/** The path of an object below its namespace. A namespace's own metrics have a special path. */
async function pathOf(
  { served }: Reader,
  { kind, name, apiVersion = '' }: NonNullable<MetricSpec['object']>['describedObject'],
): Promise<readonly string[]> {
  const group = groupOf(apiVersion);
  if (kind === 'Namespace' && group === '') return ['metrics'];
  try {
    const { resource } = await served.resourceInGroup(group, kind);
    return [group === '' ? resource : `${resource}.${group}`, name];
  } catch (problem) {
    const of = group === '' ? kind : `${kind}.${group}`;
    throw new Error(`unable to map kind ${of} to resource: ${messageOf(problem)}`);
  }
}

async function readExternal({ client, namespace }: Reader, metric: Metric): Promise<Reading> {
  const group = client.names.fill('external.metrics.{domain}');
  const path = `/apis/${group}/v1beta1/namespaces/${namespace}/${metric.name}`;
  try {
    const values = await valuesAt(client, path, { labelSelector: textOf(metric) }, `${metric.name}.${group}`);
    return values.length > 0 ? values : new Error('no metrics returned from external metrics API');
  } catch (problem) {
    return new Error(`unable to fetch metrics from external metrics API: ${messageOf(problem)}`);
  }
}

/** A metric without a selector matches everything. */
const textOf = ({ selector }: Metric): string => (selector ? labelSelectorText(selector) : '');

async function valuesAt(
  client: Reader['client'],
  path: string,
  query: Readonly<Record<string, string>>,
  resource: string,
): Promise<readonly Value[]> {
  const asked = Object.fromEntries(Object.entries(query).filter(([, text]) => text !== ''));
  const list = await client.json(path, { query: asked }).catch((problem: unknown) => {
    throw new Error(apiFailureReason(problem, resource));
  });
  const items = isObject(list) && Array.isArray(list.items) ? (list.items as MetricValue[]) : [];
  return items.map(({ describedObject, value }) => ({
    of: describedObject?.name,
    value: quantityOf(value).milliValue(),
  }));
}

interface ServedGroup {
  readonly name: string;
  readonly preferredVersion: { readonly version: string };
  readonly versions: readonly { readonly version: string }[];
}

interface MetricValue {
  readonly describedObject?: { readonly name: string };
  readonly value: string;
}
