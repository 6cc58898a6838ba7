/** An object as somebody has left it in an editor. */
import type { ApiObject } from '../../schema/index.ts';
import { isObject, loadYaml, yaml } from '../../std/index.ts';

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
