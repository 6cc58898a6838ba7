/** For writes to the status: the spec stays, metadata may change. */
export function keepSpec<T extends { spec: unknown }>(object: T, old: T): void {
  object.spec = old.spec;
}
