/** Patches an object without the server, as far as the client knows how its kind merges. */
import type { DiscoveredResource, PatchType } from '../../client/index.ts';
import { jsonPatch, mergePatch, strategicMerge } from '../../merge/index.ts';
import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { isObject, Part } from '../../std/index.ts';
import { complaint } from '../command/errors.ts';

interface Patch {
  readonly type: PatchType;
  readonly body: unknown;
}

/** The types that the client knows come when somebody needs them. */
const typesPart = new Part(() => import('../kustomize/types.ts'));

/** Throws CommandError for a kind of which only the server knows how it merges, StatusError for a patch that does not fit. */
export async function patchedHere(
  names: Names,
  { group, version, kind }: DiscoveredResource,
  object: ApiObject,
  { type, body }: Patch,
): Promise<ApiObject> {
  const after = await patched();
  if (!isObject(after) || !isObject(after['metadata'])) throw complaint('the patch leaves no object');
  return after as Partial<ApiObject> & Pick<ApiObject, 'metadata'>;

  async function patched(): Promise<unknown> {
    if (type === 'json') return jsonPatch(object, body);
    if (type === 'merge') return mergePatch(object, body);
    const { typesOf } = await typesPart.load();
    const node = typesOf(names)({ group, version, kind });
    if (!node)
      throw complaint(
        `cannot apply strategic merge patch for ${group}/${version}, Kind=${kind} locally, try --type merge`,
      );
    return strategicMerge(object, body, node);
  }
}
