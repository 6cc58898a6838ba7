import { parseInt64 } from '../../std/index.ts';
import { ConversionError } from '../derive/scheme.ts';

/** The number in an annotation that was a field in older versions of the API. Throws ConversionError. */
export function readFormerField(annotation: string, text: string): bigint {
  const number = parseInt64(text);
  if (number === undefined)
    throw new ConversionError(`the annotation ${annotation} is ${JSON.stringify(text)}, not a 64-bit integer`);
  return number;
}
