/** The addresses of a node's pods: each is taken by one pod at a time, the longest unused first. */
export class PodAddresses {
  readonly #prefix: string;
  readonly #taken = new Set<string>();
  #next = 2;

  /** `block` is a node's own block of 256 addresses, such as `10.244.0.0/24`. */
  constructor(block: string) {
    this.#prefix = /^(\d+\.\d+\.\d+)\./.exec(block)?.[1] ?? '10.244.255';
  }

  take(): string {
    for (let i = 0; i < 253; i++) {
      const address = `${this.#prefix}.${this.#next}`;
      this.#next = this.#next >= 254 ? 2 : this.#next + 1;
      if (!this.#taken.has(address)) return this.keep(address);
    }
    throw new Error(`no address is left in ${this.#prefix}.0/24`);
  }

  /** An address that a pod has already. */
  keep(address: string): string {
    this.#taken.add(address);
    return address;
  }

  give(address: string): void {
    this.#taken.delete(address);
  }
}
