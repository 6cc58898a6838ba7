/** Namespaces, and what bounds them: quotas and ranges. */
import { namespaces, resourceQuotas } from '../../client/index.ts';
import { StatusError, type objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { describer, resource } from './describer.ts';
import { field, meta, nameAlone, names, sortedEntries, type Line } from './lines.ts';

const limitRanges = resource<objects.LimitRange>('v1', 'limitranges', 'LimitRange');

/** Undefined if the server does not serve the resource. */
async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 404) return undefined;
    throw error;
  }
}

export const namespaceDescriber = describer(
  namespaces,
  async (namespace, { list }) => {
    const within = { namespace: namespace.metadata.name ?? '' };
    const quotas = await unlessMissing(list(resourceQuotas, within));
    const ranges = await unlessMissing(list(limitRanges, within));
    return [
      nameAlone(namespace),
      ...meta(namespace),
      field('Status', namespace.status.phase ?? ''),
      ...(quotas ? ['', ...quotasOf(quotas)] : []),
      ...(ranges ? ['', ...rangesOf(ranges)] : []),
    ];
  },
  false,
);

function quotasOf(quotas: readonly objects.ResourceQuota[]): readonly Line[] {
  if (quotas.length === 0) return ['No resource quota.'];
  const sorted = [...quotas].sort((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
  const each = sorted.map((quota) => [
    ` ${nameAlone(quota)}`,
    ...scopeLines(quota, ' '),
    ...[' Resource\tUsed\tHard', ' --------\t---\t---'],
    ...usageLines(quota).map((line) => ` ${line}`),
  ]);
  return ['Resource Quotas', ...each.flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]))];
}

const SCOPES: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

function scopeLines({ spec }: objects.ResourceQuota, before = ''): readonly Line[] {
  const scopes = [...(spec?.scopes ?? [])].sort();
  if (scopes.length === 0) return [];
  const help = scopes.flatMap((scope) => getOwn(SCOPES, scope) ?? []);
  return [`${before}${field('Scopes', scopes.join(', '))}`, ...help.map((text) => `${before} * ${text}`)];
}

const usageLines = ({ status }: objects.ResourceQuota): readonly Line[] =>
  sortedEntries(status?.hard).map(([name, hard]) => `${name}\t${getOwn(status?.used, name) ?? '0'}\t${hard}`);

export const quotaDescriber = describer(
  resourceQuotas,
  (quota) => [
    ...names(quota),
    ...scopeLines(quota),
    ...['Resource\tUsed\tHard', '--------\t----\t----'],
    ...usageLines(quota),
  ],
  false,
);

const RANGE_HEADS = [
  'Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio',
  '----\t--------\t---\t---\t---------------\t-------------\t-----------------------',
];

export const limitRangeDescriber = describer(
  limitRanges,
  (range) => [...names(range), ...RANGE_HEADS, ...rangeLines(range)],
  false,
);

const rangesOf = (ranges: readonly objects.LimitRange[]): readonly Line[] =>
  ranges.length === 0
    ? ['No LimitRange resource.']
    : ['Resource Limits', ...[...RANGE_HEADS, ...ranges.flatMap(rangeLines)].map((line) => ` ${line}`)];

function rangeLines({ spec }: objects.LimitRange): readonly Line[] {
  return (spec?.limits ?? []).flatMap((item) => {
    const columns = [item.min, item.max, item.defaultRequest, item.default, item.maxLimitRequestRatio];
    const resources = [...new Set(columns.flatMap((map) => Object.keys(map ?? {})))].sort();
    return resources.map((name) => [item.type, name, ...columns.map((map) => getOwn(map, name) ?? '-')].join('\t'));
  });
}
