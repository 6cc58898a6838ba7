/** The metadata of a converted object: the original, except for labels and annotations from the webhook. */
import { CallError } from '../../../admission/index.ts';
import { meta, Path, type ApiObject, type FieldErrors, type ObjectMeta } from '../../../schema/index.ts';
import { clone, deepEqual, isObject } from '../../../std/index.ts';

type Texts = Readonly<Record<string, string>>;

const CHECKS: Readonly<Record<'labels' | 'annotations', (texts: Texts) => FieldErrors>> = {
  labels: (texts) => meta.validateLabels(texts, Path.of('metadata', 'labels')),
  annotations: (texts) => meta.validateAnnotations(texts, Path.of('metadata', 'annotations')),
};

/**
 * `given` is the webhook's result. Throws CallError if it is not valid metadata, or has invalid labels or annotations.
 */
export function withOwnMetadata(given: unknown, { metadata: original }: ApiObject): ObjectMeta {
  if (given === undefined) throw new CallError('invalid metadata: missing metadata in converted object');
  if (!isObject(given)) throw new CallError('invalid metadata: the metadata of the converted object is no object');
  const metadata = clone(original);
  for (const field of ['labels', 'annotations'] as const) {
    const texts = textsOf(given[field], field);
    if (texts && !deepEqual(texts, original[field] ?? {})) requireValid(CHECKS[field](texts));
    if (texts) metadata[field] = { ...texts };
    else delete metadata[field];
  }
  return metadata;
}

function textsOf(value: unknown, field: string): Texts | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw new CallError(`invalid metadata: metadata.${field} of the converted object is no map`);
  const wrong = Object.entries(value).find(([, text]) => typeof text !== 'string');
  if (wrong) throw new CallError(`invalid metadata: metadata.${field}[${wrong[0]}] must be a string`);
  return value as Texts;
}

function requireValid(errors: FieldErrors): void {
  if (errors.length === 0) return;
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  throw new CallError(`invalid metadata: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`);
}
