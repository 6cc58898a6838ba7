/** A pod's rules of placement as YAML, and back: affinity, anti-affinity and spreading. */
import { parse, stringify } from 'yaml';
import type { Names } from '../../../names/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { getOwn, isObject } from '../../../std/index.ts';
import { at } from '../../stores/jsonValues.ts';

export interface Rules {
  readonly affinity?: unknown;
  readonly topologySpreadConstraints?: unknown;
}

/** The rules of a pod as text; empty where it has none. */
export function rulesText(pod: ApiObject): string {
  const affinity = at(pod, 'spec', 'affinity');
  const topologySpreadConstraints = at(pod, 'spec', 'topologySpreadConstraints');
  const rules: Rules = {
    ...(affinity !== undefined && { affinity }),
    ...(topologySpreadConstraints !== undefined && { topologySpreadConstraints }),
  };
  return Object.keys(rules).length === 0 ? '' : stringify(rules);
}

/** What a value has to be: a text or number, a list of such a thing, or an object with these fields. */
type Shape = 'text' | 'number' | readonly [Shape] | { readonly [field: string]: Shape } | 'labels';

const EXPRESSION: Shape = { key: 'text', operator: 'text', values: ['text'] };
const SELECTOR: Shape = { matchLabels: 'labels', matchExpressions: [EXPRESSION] };
const NODES: Shape = { matchExpressions: [EXPRESSION], matchFields: [EXPRESSION] };
const PODS: Shape = { labelSelector: SELECTOR, topologyKey: 'text', namespaces: ['text'] };
const NEAR: Shape = {
  requiredDuringSchedulingIgnoredDuringExecution: [PODS],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 'number', podAffinityTerm: PODS }],
};
const RULES: Shape = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [NODES] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 'number', preference: NODES }],
    },
    podAffinity: NEAR,
    podAntiAffinity: NEAR,
  },
  topologySpreadConstraints: [
    { maxSkew: 'number', topologyKey: 'text', whenUnsatisfiable: 'text', labelSelector: SELECTOR },
  ],
};

/** The rules of a text, or what is wrong with it. */
export function parseRules(text: string): Rules | string {
  if (text.trim() === '') return {};
  try {
    const rules: unknown = parse(text);
    return problemIn(rules, RULES, '') ?? (rules as Rules);
  } catch (problem) {
    return problem instanceof Error ? (problem.message.split('\n')[0] ?? '') : String(problem);
  }
}

const said = (path: string): string => (path === '' ? 'The text' : path);

function problemIn(value: unknown, shape: Shape, path: string): string | undefined {
  if (shape === 'text') return typeof value === 'string' ? undefined : `${said(path)} has to be a text.`;
  if (shape === 'number') return typeof value === 'number' ? undefined : `${said(path)} has to be a number.`;
  if (Array.isArray(shape)) {
    const [item] = shape as readonly [Shape];
    if (!Array.isArray(value)) return `${said(path)} has to be a list.`;
    return value.map((each, i) => problemIn(each, item, `${path}[${i}]`)).find((problem) => problem !== undefined);
  }
  if (!isObject(value)) return `${said(path)} has to have fields.`;
  for (const [name, inner] of Object.entries(value)) {
    const field = path === '' ? name : `${path}.${name}`;
    const known = shape === 'labels' ? 'text' : getOwn(shape as Readonly<Record<string, Shape>>, name);
    if (known === undefined) return `${said(path)} has no field ${name}.`;
    const problem = problemIn(inner, known, field);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A rule that people often want, to begin with. */
export interface Preset {
  readonly title: string;
  readonly rules: Rules;
}

/** Rules for pods with these labels, which are those of the pod itself. */
export function presetsFor(labels: Readonly<Record<string, string>>, names: Pick<Names, 'fill'>): readonly Preset[] {
  const hostname = names.fill('{label}/hostname');
  const zone = names.fill('topology.{label}/zone');
  const labelSelector = { matchLabels: labels };
  const required = (term: object): object => ({ requiredDuringSchedulingIgnoredDuringExecution: term });
  const spread = { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector };
  const inZones = { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'In', values: ['a'] }] }] };
  return [
    {
      title: 'One of its kind on a node',
      rules: { affinity: { podAntiAffinity: required([{ labelSelector, topologyKey: hostname }]) } },
    },
    { title: 'Spread over zones', rules: { topologySpreadConstraints: [spread] } },
    {
      title: 'Near pods of its kind',
      rules: { affinity: { podAffinity: required([{ labelSelector, topologyKey: zone }]) } },
    },
    { title: 'Only in some zones', rules: { affinity: { nodeAffinity: required(inZones) } } },
  ];
}

/** A pod with these rules in the place of its own. */
export function withRules<T extends ApiObject & { readonly spec: object }>(pod: T, rules: Rules): T {
  const { affinity: _, topologySpreadConstraints: __, ...spec } = pod.spec as Record<string, unknown>;
  return { ...pod, spec: { ...spec, ...rules } };
}
