/** The server's own description of its kinds. */
import type { Client } from '../../client/index.ts';
import { getOwn } from '../../std/index.ts';
import type { Session } from '../command/session.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
}

export type Definitions = Readonly<Record<string, Schema>>;

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const known = new WeakMap<object, Promise<Definitions>>();

/** The descriptions of all kinds, by name; asked for once in a session. */
export function definitionsOf(session: Session, client: Client): Promise<Definitions> {
  const keeper = session.memory ?? session;
  const before = known.get(keeper);
  if (before) return before;
  const asked = client.json('/openapi/v2').then((answer) => (answer as { definitions: Definitions }).definitions);
  known.set(keeper, asked);
  asked.catch(() => known.delete(keeper));
  return asked;
}

/** The name of a kind's definition; undefined if it has none. */
export function definitionOf(definitions: Definitions, client: Client, wanted: GroupVersionKind): string | undefined {
  const key = client.names.fill('x-{product}-group-version-kind');
  const found = Object.entries(definitions).find(([, schema]) => {
    const kinds = getOwn(schema as Readonly<Record<string, unknown>>, key) as readonly GroupVersionKind[] | undefined;
    return kinds?.some(
      ({ group, version, kind }) => group === wanted.group && version === wanted.version && kind === wanted.kind,
    );
  });
  return found?.[0];
}

/** The schema that `$ref` leads to; undefined without one. */
export const resolved = (definitions: Definitions, { $ref }: Schema): Schema | undefined =>
  $ref === undefined ? undefined : getOwn(definitions, $ref.replace('#/definitions/', ''));
