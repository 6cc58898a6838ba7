import {
  apiServices,
  apiVersionOf,
  customResourceDefinitions,
  discover,
  type DiscoveredResource,
  type Discovery,
  type Informers,
  type Client,
} from '../../client/index.ts';

/** Cached discovery, refreshed only after a definition or an API service has changed. */
export class Served {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  #known: Promise<Discovery> | undefined;

  constructor(client: Client, informers: Informers) {
    this.#client = client;
    const forget = (): void => {
      this.#known = undefined;
      for (const listener of this.#listeners) listener();
    };
    for (const ref of [customResourceDefinitions, apiServices]) {
      informers
        .of(ref)
        .on({ added: (_, initial) => (initial ? undefined : forget()), changed: forget, deleted: forget });
    }
  }

  /** Failures are not cached, so the next call tries again. */
  async discovery(): Promise<Discovery> {
    const asked = (this.#known ??= discover(this.#client));
    try {
      const discovery = await asked;
      if (discovery.failed.length > 0) this.#known = undefined;
      return discovery;
    } catch (problem) {
      this.#known = undefined;
      throw problem;
    }
  }

  /** The resource of a kind in one version. Rejects if it is not served. */
  async resourceOf(apiVersion: string, kind: string): Promise<DiscoveredResource> {
    const { resources } = await this.discovery();
    const found = resources.find((r) => r.kind === kind && apiVersionOf(r, this.#client.names) === apiVersion);
    if (!found) throw new Error(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
    return found;
  }

  /** The resource of a kind in its group's preferred version. Rejects if it is not served. */
  async resourceInGroup(group: string, kind: string): Promise<DiscoveredResource> {
    const { resources, preferred } = await this.discovery();
    const found = [...preferred, ...resources].find((r) => r.kind === kind && r.group === group);
    if (!found) throw new Error(`no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`);
    return found;
  }

  /** Calls `listener` for every change that may affect discovery. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
