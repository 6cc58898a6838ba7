/** The admission plugins selected by the flags, with access to the cluster's objects. */
import {
  configurationFile,
  enabledPlugins,
  PluginChoiceError,
  PluginConfigError,
  type AdmissionConfiguration,
  type AdmissionPlugin,
  type PluginDeps,
} from '../admission/index.ts';
import type { Access } from '../apiserver/index.ts';
import type { AuthorizationChain } from '../authz/index.ts';
import type { RemoteFetch } from '../authn/index.ts';
import type { Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { ApiObject, Resource, ResourceName } from '../schema/index.ts';
import type { Clock, Metrics, Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { FlagError } from './flags/index.ts';

export interface AdmissionSettings {
  readonly names: Names;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  readonly gate: (name: string) => boolean;
  readonly flag: (name: string) => string | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Reaches services outside the core. */
  readonly fetch: RemoteFetch;
  /** Requests with the API server's identity. */
  readonly loopback: Transport;
}

/** Throws FlagError for unknown plugins, contradictory flags, and invalid configurations. */
export async function startAdmission(
  settings: AdmissionSettings,
  access: Access,
  authorization: AuthorizationChain,
): Promise<AdmissionPlugin[]> {
  const { flag } = settings;
  const shared: Omit<PluginDeps, 'config'> = {
    ...settings,
    transport: settings.loopback,
    scheme: access.scheme,
    ...readers(access),
    authorize: (attributes) => authorization.authorize(attributes),
  };
  const choice = {
    enable: flag('enable-admission-plugins') ?? '',
    disable: flag('disable-admission-plugins') ?? '',
    only: flag('admission-control') ?? '',
  };
  try {
    const configuration = await configurationOf(settings);
    return await enabledPlugins(choice, (name) => ({ ...shared, config: configuration.get(name) }));
  } catch (error) {
    if (error instanceof PluginChoiceError) throw new FlagError(error.message);
    if (error instanceof PluginConfigError) throw new FlagError(`--${CONFIG_FLAG}: ${error.message}`);
    throw error;
  }
}

const CONFIG_FLAG = 'admission-control-config-file';

async function configurationOf({ flag, files, names }: AdmissionSettings): Promise<AdmissionConfiguration> {
  const path = flag(CONFIG_FLAG) ?? '';
  return path === '' ? new Map() : (await configurationFile.load()).readConfiguration(path, files, names);
}

/** Reads directly from storage: plugins never see a state older than the request. */
function readers({ scheme, storage, views }: Access): Pick<PluginDeps, 'get' | 'list'> {
  const hubOf = hubFinder(scheme);
  return {
    get: (name, namespace, object): ApiObject | undefined => {
      const hub = hubOf(name);
      const entry =
        hub && storage.get(hub.namespaced ? `${hub.prefix}${namespace}/${object}` : `${hub.prefix}${object}`);
      return entry && views.of(entry, hub).object;
    },
    list: (name, namespace) => {
      const hub = hubOf(name);
      if (!hub) return [];
      const start = namespace === '' ? hub.prefix : `${hub.prefix}${namespace}/`;
      return storage
        .range({ start, end: `${start.slice(0, -1)}0` })
        .entries.map((entry) => views.of(entry, hub).object);
    },
  };
}

/** Finds resources by name, cached because plugins use the same few with every request. */
function hubFinder(scheme: Access['scheme']): (name: ResourceName) => Resource | undefined {
  let known = new Map<string, Resource>();
  let generation: number | undefined;
  return ({ group, resource }) => {
    if (generation !== scheme.generation) {
      generation = scheme.generation;
      known = new Map(scheme.all().map((r) => [`${r.gvr.group}/${r.gvr.resource}`, r.hub]));
    }
    return known.get(`${group}/${resource}`);
  };
}
