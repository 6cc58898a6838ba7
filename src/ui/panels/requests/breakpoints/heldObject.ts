/** The object of a held request as a person edits it: without the ledger of field ownership, which stays as it was. */
import { isObject } from '../../../../std/index.ts';
import { at } from '../../../stores/jsonValues.ts';
import { toYaml } from '../../object/yaml.ts';

type Fields = Readonly<Record<string, unknown>>;

const metadataOf = (object: Fields): Fields => (isObject(object['metadata']) ? object['metadata'] : {});

/** The text to edit; empty where there is no object. */
export function editable(object: unknown): string {
  if (!isObject(object)) return '';
  if (object['metadata'] === undefined) return toYaml(object);
  const { managedFields: _, creationTimestamp, ...rest } = metadataOf(object);
  // An object that is not stored yet has an empty time of creation, which says nothing.
  const metadata = { ...rest, ...(typeof creationTimestamp === 'string' && { creationTimestamp }) };
  return toYaml({ ...object, metadata });
}

/** What was edited, with the ledger of what it was before. */
export function withLedger(edited: Fields, former: unknown): Fields {
  const managedFields = at(former, 'metadata', 'managedFields');
  return managedFields === undefined ? edited : { ...edited, metadata: { managedFields, ...metadataOf(edited) } };
}
