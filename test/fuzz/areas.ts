/** What the fuzzer makes inputs for. */
import type fc from 'fast-check';
import { files } from './files.ts';
import { imports } from './imports.ts';
import type { Input } from './input.ts';
import { requests } from './random.ts';
import { creations, patches, protobuf } from './samples.ts';
import * as texts from './texts.ts';

export const areas: Readonly<Record<string, fc.Arbitrary<Input>>> = {
  requests,
  creations,
  patches,
  smallPatches: texts.smallPatches,
  protobuf,
  yaml: texts.yaml,
  selectors: texts.selectors,
  headers: texts.headers,
  quantities: texts.quantities,
  definitions: texts.definitions,
  reviews: texts.reviews,
  files,
  imports,
};
