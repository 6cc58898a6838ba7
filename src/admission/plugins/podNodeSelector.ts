/** PodNodeSelector: adds the namespace's node selector to its pods, and restricts their selectors. */
import { status } from '../../schema/index.ts';
import { isObject, getOwn } from '../../std/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { section } from './config.ts';
import { namespaceOf } from './namespaces.ts';
import { isPod, podOf } from './pods.ts';
import { refuse } from './refuse.ts';

type Labels = Readonly<Record<string, string>>;

export const podNodeSelector: PluginDeclaration = {
  name: 'PodNodeSelector',
  on: false,
  create: (deps) => {
    const selectors = readSelectors(deps.config);
    return {
      name: 'PodNodeSelector',
      handles: (operation) => operation === 'CREATE',
      admit: (attributes) => {
        if (!isPod(attributes)) return;
        const wanted = selectorOf(attributes, deps, selectors);
        const { spec } = podOf(attributes);
        requireAgreement(attributes, wanted);
        const merged = { ...wanted, ...spec.nodeSelector };
        if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
        requireAllowed(attributes, selectors);
      },
      validate: (attributes) => {
        if (!isPod(attributes)) return;
        requireAgreement(attributes, selectorOf(attributes, deps, selectors));
        requireAllowed(attributes, selectors);
      },
    };
  },
};

const CLUSTER_DEFAULT = 'clusterDefaultNodeSelector';

/** The cluster's default selector, and the allowed labels for each namespace. */
function readSelectors(config: unknown): ReadonlyMap<string, string> {
  const { podNodeSelectorPluginConfig: selectors } = config === undefined ? {} : section(config);
  if (!isObject(selectors)) return new Map();
  return new Map(Object.entries(selectors).map(([name, selector]) => [name, String(selector ?? '')]));
}

/** The namespace's annotation precedes the cluster's default. */
function selectorOf(attributes: AdmissionAttributes, deps: PluginDeps, selectors: ReadonlyMap<string, string>): Labels {
  const key = deps.names.fill('scheduler.alpha.{label}/node-selector');
  const own = namespaceOf(attributes, deps).metadata.annotations?.[key];
  return readLabels(own ?? selectors.get(CLUSTER_DEFAULT) ?? '');
}

/** Labels from `a=b,c=d`. */
function readLabels(text: string): Labels {
  if (text === '') return {};
  const pairs = text.split(',').map((pair) => {
    const [key = '', value, ...more] = pair.split('=');
    if (value === undefined || more.length > 0) throw status.unexpected(`invalid selector: [${pair}]`);
    return [key.trim(), value.trim()] as const;
  });
  return Object.fromEntries(pairs);
}

function requireAgreement(attributes: AdmissionAttributes, wanted: Labels): void {
  const own = podOf(attributes).spec.nodeSelector ?? {};
  if (Object.entries(wanted).some(([key, value]) => getOwn(own, key) !== undefined && getOwn(own, key) !== value))
    throw refuse(attributes, 'pod node label selector conflicts with its namespace node label selector');
}

/** A namespace without a list is not restricted. */
function requireAllowed(attributes: AdmissionAttributes, selectors: ReadonlyMap<string, string>): void {
  const allowed = readLabels(selectors.get(attributes.namespace) ?? '');
  if (Object.keys(allowed).length === 0) return;
  const own = Object.entries(podOf(attributes).spec.nodeSelector ?? {});
  if (own.some(([key, value]) => getOwn(allowed, key) !== value))
    throw refuse(attributes, 'pod node label selector labels conflict with its namespace whitelist');
}
