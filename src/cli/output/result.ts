/** What a command that changes objects says of each: `pod/web created`, or the object itself with `-o`. */
import type { DiscoveredResource } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle, type Flags, type Values } from '../command/flags.ts';
import type { Session } from '../command/session.ts';
import { loadTypes, type ReadTyped } from '../server/typed.ts';
import { formatOf, listedFormat } from './format.ts';

const FORMATS: readonly string[] = [
  ...['go-template', 'go-template-file', 'json', 'jsonpath', 'jsonpath-as-json', 'jsonpath-file'],
  ...['name', 'template', 'templatefile', 'yaml'],
];

/** The flags of commands that print what they did. */
export const resultFlags = {
  'allow-missing-template-keys': toggle({ initial: true }),
  output: text({ short: 'o' }),
  template: text(),
} as const satisfies Flags;

/** `deployment.apps/web`. */
export const nameWithKind = (resource: DiscoveredResource, name: string): string => `${kindName(resource)}/${name}`;

/** `deployment.apps`. */
export const kindName = ({ kind, group }: DiscoveredResource): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}`;

/** A resource and an object of it. */
export interface Result {
  readonly resource: DiscoveredResource;
  readonly object: ApiObject;
}

export interface ResultPrinter {
  /** Prints a result in the format that was asked for, else as `OBJECT did`. */
  print(result: Result, did: string): void;
  /** Prints several objects as one list where there is a format that prints objects, else nothing. */
  printAll(results: readonly Result[]): void;
  /** Whether whole objects are printed, rather than a line for each. */
  readonly whole: boolean;
}

/** Throws CommandError for a format in which no object can be printed. */
export function checkResultFormat(output: string): void {
  if (output !== '' && !FORMATS.includes(output.replace(/=.*/s, '')))
    throw complaint(
      `unable to match a printer suitable for the output format ${JSON.stringify(output)}, allowed formats are: ${FORMATS.join(',')}`,
    );
}

/** Prints objects as `resultPrinter` does, JSON as the types of the reference's client write it. */
export async function typedPrinter(session: Session, flags: Values<typeof resultFlags>): Promise<ResultPrinter> {
  if (listedFormat(flags.output) !== 'json') return resultPrinter(session, flags);
  return resultPrinter(session, flags, await loadTypes(session.names));
}

/** Throws CommandError for an unknown format. JSON of objects that `read` reads keeps its order. */
export async function resultPrinter(
  session: Session,
  flags: Values<typeof resultFlags>,
  read?: ReadTyped,
): Promise<ResultPrinter> {
  const output = listedFormat(flags.output);
  checkResultFormat(output);
  let printed = 0;
  const names = new Map<ApiObject, string>();
  const format = await formatOf(output, session.files, {
    ...{ headers: true, template: flags.template, missing: flags['allow-missing-template-keys'] },
    nameOf: (object) => names.get(object) ?? '',
    inOrder: read !== undefined,
  });
  const whole = format !== undefined && output !== 'name';
  const note = ({ resource, object }: Result): string => {
    const name = nameWithKind(resource, object.metadata.name ?? '');
    names.set(object, name);
    return name;
  };
  return {
    whole,
    print(result, did) {
      const name = note(result);
      // Documents of YAML stand apart.
      if (output === 'yaml' && printed++ > 0) session.out('---\n');
      const shown = read?.(result.resource, result.object) ?? result.object;
      session.out(format ? format([shown], true) : `${name} ${did}\n`);
    },
    printAll(results) {
      results.forEach(note);
      if (whole && results.length > 0)
        session.out(
          format(
            results.map(({ object }) => object),
            results.length === 1,
          ),
        );
    },
  };
}
