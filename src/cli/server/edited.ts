/** Objects that somebody changes in an editor. */
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { isObject, loadYaml, yaml } from '../../std/index.ts';
import { complaint, describeError } from '../command/errors.ts';
import type { Session } from '../command/session.ts';
import { printYaml } from '../output/yaml.ts';

const NOTE = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

/**
 * Lets the person change an object and does with it what they wanted, again as long as the server refuses. Undefined, and said, where
 * they change nothing.
 */
export async function edited<T>(
  { edit, err }: Session,
  title: string,
  shown: ApiObject,
  attempt: (next: ApiObject) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!edit) throw complaint('there is no editor here');
  let offered = NOTE + printYaml(shown);
  for (;;) {
    const typed = await edit(title, offered);
    if (typed === undefined || typed === offered || withoutComments(typed).trim() === '') break;
    try {
      const done = await attempt(await editedObject(typed));
      if (done === undefined) break;
      return done;
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof SyntaxError)) throw error;
      offered = `${commented(describeError(error))}#\n${withoutComments(typed)}`;
    }
  }
  err('Edit cancelled, no changes made.\n');
  return undefined;
}

const withoutComments = (typed: string): string => typed.replace(/^#.*\n?/gm, '');

const commented = (message: string): string => message.replace(/^/gm, '# ') + '\n';

/** Throws SyntaxError for a text that is no object. */
export async function editedObject(typed: string): Promise<ApiObject> {
  await loadYaml();
  const value = parseYaml(typed);
  if (!isObject(value) || !isObject(value['metadata'])) throw new SyntaxError('the text is no object with metadata');
  return value as Partial<ApiObject> & Pick<ApiObject, 'metadata'>;
}

function parseYaml(typed: string): unknown {
  try {
    return yaml().parse(typed);
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? error.message : String(error));
  }
}
