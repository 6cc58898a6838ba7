/** PodTolerationRestriction: namespaces add tolerations to their pods, and restrict them. */
import { qosClassOf, status } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { configOf, objectsIn } from './config.ts';
import { namespaceOf } from './namespaces.ts';
import { isPod, podOf } from './pods.ts';
import { covers, mergeTolerations, type Toleration } from './tolerations.ts';

interface Config {
  /** The default tolerations and the allowed ones, for namespaces without their own. */
  readonly default: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
}

export const podTolerationRestriction: PluginDeclaration = {
  name: 'PodTolerationRestriction',
  on: false,
  create: (deps) => {
    const config = readConfig(deps);
    return {
      name: 'PodTolerationRestriction',
      handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
      admit: (attributes) => {
        if (!isPod(attributes)) return;
        add(attributes, deps, config);
        check(attributes, deps, config);
      },
      validate: (attributes) => {
        if (isPod(attributes)) check(attributes, deps, config);
      },
    };
  },
};

function readConfig({ config, names }: PluginDeps): Config {
  const found = configOf(config, 'Configuration', [names.fill('podtolerationrestriction.admission.{domain}/v1alpha1')]);
  const tolerations = (name: string): Toleration[] => objectsIn(found ?? {}, name);
  return { default: tolerations('default'), whitelist: tolerations('whitelist') };
}

function add(attributes: AdmissionAttributes, deps: PluginDeps, config: Config): void {
  const { spec } = podOf(attributes);
  const given =
    attributes.operation === 'CREATE' ? (annotated(attributes, deps, 'defaultTolerations') ?? config.default) : [];
  // Pods with resource requests tolerate memory pressure.
  const pressure = { key: deps.names.fill('node.{label}/memory-pressure'), operator: 'Exists', effect: 'NoSchedule' };
  const extra = [...given, ...(qosClassOf(spec) === 'BestEffort' ? [] : [pressure])];
  if (extra.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], extra);
}

function check(attributes: AdmissionAttributes, deps: PluginDeps, config: Config): void {
  const tolerations = podOf(attributes).spec.tolerations ?? [];
  if (tolerations.length === 0) return;
  const allowed = annotated(attributes, deps, 'tolerationsWhitelist') ?? config.whitelist;
  if (allowed.length === 0 || tolerations.every((own) => allowed.some((wide) => covers(wide, own)))) return;
  throw status.unexpected(
    'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
  );
}

/** Tolerations from a namespace annotation; undefined if missing, empty if it is empty. */
function annotated(attributes: AdmissionAttributes, deps: PluginDeps, name: string): Toleration[] | undefined {
  const key = deps.names.fill(`scheduler.alpha.{label}/${name}`);
  const text = namespaceOf(attributes, deps).metadata.annotations?.[key];
  if (text === undefined) return undefined;
  if (text === '') return [];
  try {
    return objectsIn({ [name]: JSON.parse(text) as unknown }, name);
  } catch (problem) {
    throw status.unexpected(`annotation ${key}: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}
