import { isReason } from '../schema/index.ts';
import { retry, type Client, type Retrying } from '../client/index.ts';
import { addressesToWrite, keyOf, networkResources, type NetworkView } from '../network/index.ts';
import { inBackground, must } from '../std/index.ts';

const ingressesRef = must(
  networkResources.find(({ resource }) => resource === 'ingresses'),
  'the network follows Ingresses',
);

/** Writes the address of the simulated ingress controller into the status of the Ingresses that it serves. */
export class IngressStatus {
  readonly #client: Client;
  readonly #view: NetworkView;
  readonly #retrying: Retrying;

  constructor(client: Client, view: NetworkView, retrying: Retrying) {
    this.#client = client;
    this.#view = view;
    this.#retrying = retrying;
  }

  /** Checks one Ingress, by key. */
  check(key: string): void {
    if (this.#addressesFor(key) === undefined) return;
    const work = retry(() => this.#write(key), this.#retrying);
    inBackground(work, this.#retrying.onProblem);
  }

  /** A class may affect every Ingress; classes seldom change. */
  checkAll(): void {
    for (const ingress of this.#view.all('ingresses')) this.check(keyOf(ingress));
  }

  #addressesFor(key: string): { ip: string }[] | undefined {
    const ingress = this.#view.get('ingresses', key);
    return ingress && addressesToWrite(ingress, this.#view);
  }

  async #write(key: string): Promise<void> {
    const addresses = this.#addressesFor(key);
    if (addresses === undefined) return;
    const [namespace = '', name = ''] = key.split('/');
    const change = { status: { loadBalancer: { ingress: addresses } } };
    try {
      await this.#client
        .of(ingressesRef)
        .patch({ metadata: { namespace, name } }, 'merge', change, { subresource: 'status' });
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }
}
