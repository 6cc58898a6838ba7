/** What a request waits for before it is read: whatever `codec/negotiate.ts` finds in its headers has to be here. */
import { expect, it, vi } from 'vitest';
import { yamlReader } from '../../src/apiserver/codec/body.ts';
import { bodyEncoding } from '../../src/apiserver/codec/negotiate.ts';
import { missingFormats } from '../../src/apiserver/stages/parts.ts';
import { namesOf } from '../../src/names/index.ts';
import { parts } from '../../src/schema/index.ts';
import type { Loadable } from '../../src/std/index.ts';

it.each<[string, string, Loadable]>([
  ['Application/YAML', 'yaml', yamlReader],
  ['application/vnd.cluster.protobuf', 'protobuf', parts.protobuf],
  ['application/vnd.cluster.Protobuf', 'protobuf', parts.protobuf],
])('a body of %s waits for %s, regardless of case', async (type, encoding, part) => {
  expect(bodyEncoding(type, namesOf('cluster.io'))).toBe(encoding);
  vi.spyOn(part, 'loaded', 'get').mockReturnValue(false);
  const load = vi.spyOn(part, 'load');
  await missingFormats(
    new Request('http://parts.test/', { method: 'POST', body: 'x', headers: { 'content-type': type } }),
  );
  expect(load).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});
