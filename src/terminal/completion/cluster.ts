/** What completion asks the cluster: kinds, names, namespaces, containers. It asks as commands do. */
import { Client, pathOf, type DiscoveredResource } from '../../client/index.ts';
import { served, withCredentials, type Chosen } from '../../cli/index.ts';
import type { Surroundings } from '../surroundings.ts';

/** Names that are offered at most. */
const MOST = 500;
const NAMES_ONLY = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.{domain},application/json';

export class Knowledge {
  readonly #client: Client;
  readonly #memory: object;

  constructor(surroundings: Surroundings, memory: object, headers: Chosen['headers'] = []) {
    const { names } = surroundings;
    this.#client = new Client({
      transport: withCredentials(surroundings.transport(0), headers),
      names,
      userAgent: 'vitrine-observer',
    });
    this.#memory = memory;
  }

  /** Resources that can be listed, each once. */
  async resources(): Promise<readonly DiscoveredResource[]> {
    const { preferred } = await served({ memory: this.#memory }, this.#client);
    return preferred.filter(({ verbs }) => verbs.includes('list'));
  }

  /** The resource of a word such as `po`, `pods`, `deployments.apps`. */
  async resource(word: string): Promise<DiscoveredResource | undefined> {
    const lower = word.toLowerCase();
    const dot = lower.indexOf('.');
    const [name, group] = dot < 0 ? [lower, undefined] : [lower.slice(0, dot), lower.slice(dot + 1)];
    return (await this.resources()).find(
      (each) =>
        (group === undefined || each.group === group) &&
        [each.resource, each.singularName, each.kind.toLowerCase(), ...each.shortNames].includes(name),
    );
  }

  async names(resource: DiscoveredResource, namespace: string): Promise<readonly string[]> {
    const path = pathOf(resource, this.#client.names, namespace);
    const list = (await this.#client.json(path, {
      query: { limit: MOST },
      accept: this.#client.names.fill(NAMES_ONLY),
    })) as { readonly items?: readonly { readonly metadata: { readonly name: string } }[] };
    return (list.items ?? []).map(({ metadata }) => metadata.name);
  }

  async containers(pod: string, namespace: string): Promise<readonly string[]> {
    const { spec } = (await this.#client.json(`/api/v1/namespaces/${namespace}/pods/${pod}`)) as {
      readonly spec: Readonly<
        Record<'containers' | 'initContainers', readonly { readonly name: string }[] | undefined>
      >;
    };
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name);
  }
}
