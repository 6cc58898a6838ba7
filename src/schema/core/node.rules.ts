/** Nodes: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { isObject, getOwn } from '../../std/index.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { clearStatus, complaints, each, present, type Errors } from '../meta/checks.ts';
import { isIPv6, parseBlock } from '../values/addresses.ts';
import { checkConfigKey, checkLabel, checkSubdomain } from '../values/names.ts';
import type { ConfigMapNodeConfigSource, Node, NodeConfigSource, Taint } from './node.ts';
import { validateAmount } from './resources.rules.ts';
import { validateTaints } from './taints.rules.ts';

const METADATA = Path.of('metadata');
const SPEC = Path.of('spec');
const STATUS = Path.of('status');
/** Agents that take their configuration from an object. */
const CONFIG_GATE = 'DynamicKubeletConfig';

function* validate(node: Node, context: RuleContext): Errors {
  yield* validateAnnotations(node, context);
  // The reference reports taints below metadata.
  yield* validateTaints(node.spec.taints, METADATA.child('taints'));
  yield* validateResources(node, context);
  yield* validatePodCIDRs(node.spec.podCIDRs ?? []);
}

/** Annotations that stood for parts of the spec before there were fields. */
function* validateAnnotations({ metadata }: Node, { names }: RuleContext): Errors {
  const path = METADATA.child('annotations');
  const taints = names.fill('scheduler.alpha.{label}/taints');
  const avoided = names.fill('scheduler.alpha.{label}/preferAvoidPods');
  if (metadata.annotations?.[taints]) {
    const parsed = readTaints(metadata.annotations[taints]);
    if (parsed) yield* validateTaints(parsed, path.child(taints));
    else yield field.invalid(path, taints, 'must be a list of taints in JSON');
  }
  if (metadata.annotations?.[avoided]) yield* validateAvoidedPods(metadata.annotations[avoided], avoided, path);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The taints in a text (`null` is empty); undefined if it is not JSON or has other content. */
function readTaints(text: string): readonly Taint[] | undefined {
  const parsed = parseJson(text);
  if (parsed === null) return [];
  if (!Array.isArray(parsed) || !parsed.every(hasTaintTexts)) return undefined;
  return parsed.map(({ key, value, effect }) => ({ key: key ?? '', value: value ?? '', effect: effect ?? '' }));
}

const TAINT_TEXTS = ['key', 'value', 'effect'];

const hasTaintTexts = (value: unknown): value is Partial<Taint> =>
  isObject(value) && TAINT_TEXTS.every((name) => typeof (getOwn(value, name) ?? '') === 'string');

function* validateAvoidedPods(text: string, key: string, path: Path): Errors {
  const parsed = parseJson(text);
  const entries = isObject(parsed) ? (parsed['preferAvoidPods'] ?? []) : undefined;
  if (!Array.isArray(entries)) return yield field.invalid(path.child('AvoidPods'), key, 'must be JSON');
  yield* each(entries as readonly unknown[], path.child(key), function* (entry, at) {
    const signature =
      isObject(entry) && isObject(entry['podSignature']) ? entry['podSignature']['podController'] : undefined;
    if (!isObject(signature)) yield field.required(at.child('PodSignature'));
    else if (signature['controller'] !== true)
      yield field.invalid(at.child('PodSignature', 'PodController', 'Controller'), false, 'must point to a controller');
  });
}

function* validateResources({ status }: Node, { names }: RuleContext): Errors {
  for (const list of ['capacity', 'allocatable'] as const) {
    for (const [name, amount] of Object.entries(status?.[list] ?? {}))
      yield* validateAmount(name, amount, STATUS.child(list, name), names);
  }
}

function* validatePodCIDRs(blocks: readonly string[]): Errors {
  const path = SPEC.child('podCIDRs');
  const parsed = blocks.map(parseBlock);
  yield* each(parsed, path, (block, at) => (block ? [] : [field.invalid(at, blocks, 'must be valid CIDR')]));
  if (blocks.length < 2) return;
  if (parsed.some((block) => !block)) yield field.internal(path, 'invalid PodCIDRs. failed to check with dual stack');
  const families = new Set(parsed.map((block) => block && isIPv6(block.address)));
  if (families.has(undefined) || families.size !== 2 || blocks.length > 2)
    yield field.invalid(path, blocks, 'may specify no more than one CIDR for each IP family');
  yield* each(blocks, path, (block, at, i) => (blocks.indexOf(block) < i ? [field.duplicate(at, block)] : []));
}

function* validateUpdate(node: Node, old: Node, context: RuleContext): Errors {
  yield* validateAnnotations(node, context);
  yield* validateResources(node, context);
  const addresses = (node.status.addresses ?? []).map(({ type, address }) => `${type}/${address}`);
  yield* each(addresses, STATUS.child('addresses'), (address, at, i) =>
    addresses.indexOf(address) < i ? [field.duplicate(at, node.status.addresses?.[i])] : [],
  );
  const changed = [...validateKept(node, old)];
  yield* changed;
  if (node.spec.configSource)
    yield* validateConfigSource(node.spec.configSource, false, SPEC.child('configSource'), context);
  for (const name of ['assigned', 'active', 'lastKnownGood'] as const) {
    const source = node.status.config?.[name];
    if (source) yield* validateConfigSource(source, true, STATUS.child('config', name), context);
  }
  yield* validateTaints(node.spec.taints, METADATA.child('taints'));
  if (changed.length > 0 || node.spec.externalID !== old.spec.externalID) {
    yield field.forbidden(
      '[]',
      `node updates may only change labels, taints, or capacity (or configSource, if the ${CONFIG_GATE} feature gate is enabled)`,
    );
  }
}

/** What can be set once. */
function* validateKept({ spec }: Node, { spec: old }: Node): Errors {
  const [now, before] = [spec.podCIDRs ?? [], old.podCIDRs ?? []];
  const path = SPEC.child('podCIDRs');
  const detail = 'node updates may not change podCIDR except from "" to valid';
  if (before.length > 0 && now.length !== before.length) yield field.forbidden(path, detail);
  else for (const [i, block] of before.entries()) if (block !== now[i]) yield field.forbidden(path, detail);
  if (old.providerID && old.providerID !== spec.providerID)
    yield field.forbidden(SPEC.child('providerID'), 'node updates may not change providerID except from "" to valid');
}

/** `used`: the status names an exact revision, the spec must not. */
function* validateConfigSource(source: NodeConfigSource, used: boolean, path: Path, context: RuleContext): Errors {
  if (!source.configMap) return yield field.invalid(path, source, 'exactly one reference subfield must be non-nil');
  const at = path.child('configMap');
  for (const name of ['uid', 'resourceVersion'] as const) {
    if (used && !source.configMap[name]) yield field.required(at.child(name), `${name} must be set in status`);
    if (!used && source.configMap[name]) yield field.forbidden(at.child(name), `${name} must not be set in spec`);
  }
  yield* validateConfigMap(source.configMap, at, context);
}

function* validateConfigMap(source: ConfigMapNodeConfigSource, path: Path, { names }: RuleContext): Errors {
  const key = names.fill('{agent}ConfigKey');
  const value: unknown = Reflect.get(source, key);
  const text = typeof value === 'string' ? value : '';
  const parts = [
    ['namespace', source.namespace, checkLabel],
    ['name', source.name, checkSubdomain],
    [key, text, checkConfigKey],
  ] as const;
  for (const [name, value, check] of parts) {
    yield* present(value, path.child(name), `${name} must be set`);
    if (value !== '') yield* complaints(path.child(name), value, check(value));
  }
}

/** Drops what needs a gate, where it was not in use before: a configuration from an object, blocks for a second IP family. */
function dropDisabled({ spec }: Node, old: Node | undefined, { gate }: RuleContext): void {
  if (!gate(CONFIG_GATE) && !old?.spec.configSource) delete spec.configSource;
  const hadMany = (old?.spec.podCIDRs ?? []).length > 1;
  if (!gate('IPv6DualStack') && !hadMany && spec.podCIDRs) spec.podCIDRs = spec.podCIDRs.slice(0, 1);
}

export const nodeRules: Rules<Node> = {
  prepareStatusUpdate: keepSpec,
  prepareCreate: (node, context) => dropDisabled(node, undefined, context),
  // A new node may bring its status along, but not that of another.
  prepareExport: (node, exact, context) => {
    dropDisabled(node, undefined, context);
    if (!exact) clearStatus(node);
  },
  prepareUpdate: dropDisabled,
  validate: (node, context) => [...validate(node, context)],
  validateUpdate: (node, old, context) => [...validateUpdate(node, old, context)],
  validateStatusUpdate: (node, old, context) => [...validateUpdate(node, old, context)],
};
