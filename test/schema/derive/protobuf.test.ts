import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { namesOf } from '../../../src/names/index.ts';
import { createScheme, decodeProtobuf, encodeProtobuf, kinds } from '../../../src/schema/index.ts';
import { fromBase64, toBase64 } from '../../../src/std/index.ts';
import { must } from '../../../src/std/index.ts';

interface Fixture {
  readonly json: { readonly kind: string; readonly apiVersion: string };
  readonly protobuf: string;
}

const scheme = createScheme(namesOf('k8s.io'), kinds);
const fixtures = JSON.parse(readFileSync(new URL('../../protobuf/fixtures.json', import.meta.url), 'utf8')) as Record<
  string,
  readonly Fixture[]
>;

const nodeOf = ({ kind, apiVersion }: Fixture['json']) => {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return must(scheme.typeOf({ group: group ?? '', version: version ?? '', kind }), `${apiVersion}/${kind} is declared`);
};

describe.each(Object.entries(fixtures))('%s as the reference answered it', (_kind, recorded) => {
  test.each(recorded)('object %#', ({ json, protobuf }) => {
    const bytes = must(fromBase64(protobuf), 'the fixture is base64');
    const decoded = scheme.decode(nodeOf(json), decodeProtobuf(scheme, bytes));
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(json));
    expect(toBase64(encodeProtobuf(scheme, json))).toBe(protobuf);
  });
});
