/** PersistentVolumeLabel: sets zone labels on cloud volumes. Deprecated. */
import { getOwn } from '../../std/index.ts';
import type { objects } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { refuse } from './refuse.ts';
import { isCore } from './storage.ts';

type Volume = objects.PersistentVolume;

export const persistentVolumeLabel: PluginDeclaration = {
  name: 'PersistentVolumeLabel',
  on: false,
  create: (deps) => ({
    name: 'PersistentVolumeLabel',
    handles: (operation) => operation === 'CREATE',
    admit: (attributes) => {
      if (isCore(attributes, 'persistentvolumes')) label(attributes, deps);
    },
  }),
};

/** The volume types of cloud providers, by field. */
const CLOUDS = {
  awsElasticBlockStore: 'AWS EBS',
  gcePersistentDisk: 'GCE PD',
  azureDisk: 'AzureDisk',
  cinder: 'Cinder',
  vsphereVolume: 'vSphere Volume',
} as const;

const LABELS = [
  ['topology.{label}/zone', 'topology.{label}/region'],
  ['failure-domain.beta.{label}/zone', 'failure-domain.beta.{label}/region'],
] as const;

function label(attributes: AdmissionAttributes, deps: PluginDeps): void {
  const volume = attributes.object as Volume;
  const cloud = Object.entries(CLOUDS).find(([source]) => volume.spec?.[source as keyof typeof CLOUDS] !== undefined);
  const trusted = trustedLabels(volume, deps);
  if (trusted) volume.spec = { ...volume.spec, ...affinityFor(volume, trusted) };
  else if (cloud)
    throw refuse(attributes, `error querying ${cloud[1]} volume: there is no cloud provider that could be asked`);
}

/** Provisioners set these labels too; labels set by users are not trusted. */
function trustedLabels({ metadata }: Volume, { names }: PluginDeps): Readonly<Record<string, string>> | undefined {
  if (metadata?.annotations?.[names.fill('pv.{label}/provisioned-by')] === undefined) return undefined;
  for (const pair of LABELS.map((keys) => keys.map(names.fill))) {
    const found = pair.map((key) => [key, getOwn(metadata.labels, key)] as const);
    if (found.every(([, value]) => value !== undefined)) return Object.fromEntries(found) as Record<string, string>;
  }
  return undefined;
}

/** Node affinity for the labels, added to every term that lacks them. */
function affinityFor(
  { spec }: Volume,
  labels: Readonly<Record<string, string>>,
): Pick<NonNullable<Volume['spec']>, 'nodeAffinity'> {
  const wanted = Object.entries(labels).map(([key, value]) => ({
    key,
    operator: 'In',
    values: value.split('__'),
  }));
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [{}];
  const speaks = terms.some((term) => term.matchExpressions?.some(({ key }) => getOwn(labels, key) !== undefined));
  if (speaks) return {};
  const nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), ...wanted],
  }));
  return { nodeAffinity: { required: { nodeSelectorTerms } } };
}
