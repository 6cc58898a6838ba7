/** Node names, alternating between zones, so that a search through some of the nodes covers all zones. */
export class NodeOrder {
  readonly #zones = new Map<string, Set<string>>();
  readonly #zoneOf = new Map<string, string>();

  /** Returns whether the order has changed. */
  set(node: string, zone: string): boolean {
    if (this.#zoneOf.get(node) === zone) return false;
    this.remove(node);
    this.#zoneOf.set(node, zone);
    const names = this.#zones.get(zone);
    if (names) names.add(node);
    else this.#zones.set(zone, new Set([node]));
    return true;
  }

  remove(node: string): boolean {
    const zone = this.#zoneOf.get(node);
    if (zone === undefined) return false;
    this.#zoneOf.delete(node);
    const names = this.#zones.get(zone);
    names?.delete(node);
    if (names?.size === 0) this.#zones.delete(zone);
    return true;
  }

  /** The first node of each zone, then the second of each, and so on. */
  list(): string[] {
    const zones = Array.from(this.#zones.values(), (names) => [...names]);
    const longest = zones.reduce((most, names) => Math.max(most, names.length), 0);
    const order: string[] = [];
    for (let i = 0; i < longest; i++) for (const names of zones) if (i < names.length) order.push(names[i] as string);
    return order;
  }
}
