/** Makes the objects of a YAML text in a cluster. */
import { parseAllDocuments } from 'yaml';
import { Client, discover, pathOf, type Transport } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { groupOf, type ApiObject } from '../../src/schema/index.ts';

/** Makes the objects in their order; `tried` repeats what does not succeed yet, such as a pod before its service account. */
export async function createAll(
  text: string,
  transport: Transport,
  tried: (what: string, attempt: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const names = namesOf('k8s.io');
  const client = new Client({ transport, names });
  let { resources } = await discover(client);
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as ApiObject;
    const group = groupOf(object.apiVersion ?? '');
    await tried(`${object.kind} ${object.metadata.name}`, async () => {
      const ref = resources.find((each) => each.kind === object.kind && each.group === group);
      if (!ref) {
        resources = (await discover(client)).resources;
        return false;
      }
      const at = { ...ref, version: (object.apiVersion ?? '').split('/').at(-1) ?? '' };
      const init = { method: 'POST', body: JSON.stringify(object), headers: { 'content-type': 'application/json' } };
      const response = await transport(pathOf(at, names, object.metadata.namespace ?? 'default'), init);
      const later = [403, 404, 500].includes(response.status);
      if (!response.ok && !later) throw new Error(`${object.kind} ${object.metadata.name}: ${await response.text()}`);
      return response.ok;
    });
  }
}
