import { command, type Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { wrapped } from '../output/wrap.ts';
import {
  definitionOf,
  definitionsOf,
  resolved,
  type Definitions,
  type GroupVersionKind,
  type Schema,
} from '../server/openApi.ts';
import { findResource } from '../server/served.ts';
import { getOwn } from '../../std/index.ts';

const flags = {
  'api-version': text(),
  recursive: toggle(),
};

export const explain = command({
  name: 'explain',
  flags,
  run: async (call) => {
    const { args, session, client } = call;
    const [words = ''] = args;
    if (args.length === 0)
      throw complaint(
        `You must specify the type of resource to explain. Use "${session.program} api-resources" for a complete list of supported resources.`,
      );
    if (args.length > 1) throw complaint('We accept only this format: explain RESOURCE');
    const [type = '', ...path] = words.split('.').filter((word, i, all) => i < all.length - 1 || word !== '');
    if (type === '') throw complaint('a resource must be present, got: /, Resource=');
    const wanted = await kindOf(call, type);
    const definitions = await definitionsOf(session, client);
    const name = definitionOf(definitions, client, wanted);
    const schema = name === undefined ? undefined : getOwn(definitions, name);
    if (!schema) throw complaint(`couldn't find resource for ${JSON.stringify(textOf(wanted))}`);
    const explained = fieldAt(definitions, schema, path);
    session.out(explanation(definitions, explained, wanted, path.at(-1) ?? '', call.flags.recursive));
  },
});

async function kindOf({ session, client, flags: given }: Call<typeof flags>, type: string): Promise<GroupVersionKind> {
  const resource = await findResource(session, client, type).catch((error: unknown) => {
    // This command alone leaves out the word `error`.
    throw error instanceof CommandError ? new CommandError(error.message.replace(/^error: /, '')) : error;
  });
  if (given['api-version'] === '') return resource;
  const [version = '', group = ''] = given['api-version'].split('/').reverse();
  return { group, version, kind: resource.kind };
}

const textOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}, Kind=${kind}`;

/** Lists, maps and references lead to what they hold. */
function heldBy(definitions: Definitions, schema: Schema): Schema | undefined {
  const held = resolved(definitions, schema) ?? schema.items;
  if (held || schema.properties || schema.type !== 'object') return held;
  // A map of which nothing is said holds anything, with the same description.
  return schema.additionalProperties ?? { description: schema.description ?? '' };
}

/** The field that a path leads to. Throws CommandError where a kind has no such field. */
function fieldAt(definitions: Definitions, schema: Schema, path: readonly string[]): Schema {
  let at = schema;
  for (const name of path) {
    let holder: Schema | undefined = at;
    let leaf = at;
    while (holder && !holder.properties) {
      leaf = holder;
      holder = heldBy(definitions, holder);
    }
    // Like the reference, ignores what follows a field with a plain value.
    if (!holder?.properties) return leaf;
    const field = getOwn(holder.properties, name);
    if (!field) throw complaint(`field ${JSON.stringify(name)} does not exist`);
    at = field;
  }
  return at;
}

const INDENT = 3;
const WIDTH = 80;

function explanation(
  definitions: Definitions,
  schema: Schema,
  kind: GroupVersionKind,
  name: string,
  recursive: boolean,
): string {
  const descriptions: string[] = [];
  let inner = schema;
  for (let next = heldBy(definitions, schema); next; next = heldBy(definitions, inner)) {
    descriptions.push(inner.description ?? '');
    inner = next;
  }
  descriptions.push(inner.description ?? '');
  const type = typeName(definitions, schema);
  const { properties } = inner;
  const plain = properties || inner.type !== undefined;
  const title =
    name === '' || !plain ? [] : [properties ? `RESOURCE: ${name} <${type}>` : `FIELD:    ${name} <${type}>`, ''];
  const fields = properties ? ['', 'FIELDS:', ...fieldLines(definitions, inner, recursive, INDENT)] : [];
  const lines = [
    `KIND:     ${kind.kind}`,
    `VERSION:  ${kind.group === '' ? kind.version : `${kind.group}/${kind.version}`}`,
    '',
    ...title,
    'DESCRIPTION:',
    ...descriptionLines(descriptions),
    ...fields,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function descriptionLines(descriptions: readonly string[]): readonly string[] {
  const lines = descriptions.flatMap((description, i) =>
    description === '' ? [] : [...(i === 0 ? [] : ['']), ...wrapped(description, WIDTH - 5)],
  );
  return (lines.length === 0 ? ['<empty>'] : lines).map((line) => `     ${line}`);
}

function fieldLines(definitions: Definitions, schema: Schema, recursive: boolean, indent: number): readonly string[] {
  const { properties = {}, required = [] } = schema;
  const space = ' '.repeat(indent);
  return Object.entries(properties)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, field]) => {
      const title = `${space}${name}\t<${typeName(definitions, field)}>`;
      if (recursive) return [title, ...insideLines(definitions, field, indent)];
      const needed = required.includes(name) ? ' -required-' : '';
      const text = wrapped(field.description ?? '', WIDTH - 5);
      return [`${title}${needed}`, ...text.map((line) => `     ${line}`), ''];
    });
}

/** The fields of what a field holds. */
function insideLines(definitions: Definitions, field: Schema, indent: number): readonly string[] {
  const seen = new Set<Schema>();
  let inner: Schema | undefined = field;
  while (inner && !inner.properties && !seen.has(inner)) {
    seen.add(inner);
    inner = heldBy(definitions, inner);
  }
  return inner?.properties ? fieldLines(definitions, inner, true, indent + INDENT) : [];
}

/** `[]Object`, `map[string]string`, `integer`. */
function typeName(definitions: Definitions, schema: Schema): string {
  const target = resolved(definitions, schema);
  if (target) return typeName(definitions, target);
  if (schema.properties) return 'Object';
  if (schema.type === 'array') return `[]${schema.items ? typeName(definitions, schema.items) : ''}`;
  if (schema.type === 'object')
    return `map[string]${schema.additionalProperties ? typeName(definitions, schema.additionalProperties) : ''}`;
  return schema.type ?? '';
}
