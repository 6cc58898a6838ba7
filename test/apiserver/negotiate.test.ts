/** Which representation an Accept header gets. */
import { describe, expect, it } from 'vitest';
import { bodyEncoding, negotiate, type Accepted, type Offer } from '../../src/apiserver/codec/negotiate.ts';
import { namesOf } from '../../src/names/index.ts';
import { StatusError } from '../../src/schema/index.ts';

const names = namesOf('cluster.io');
const resource: Offer = { encodings: ['json', 'yaml', 'protobuf'], transforms: true };
const custom: Offer = { ...resource, custom: true };
const document: Offer = { ...resource, transforms: false };

function shown({ encoding, transform }: Accepted): string {
  return transform ? `${encoding} ${transform.kind} ${transform.version}` : encoding;
}

function answer(accept: string, offer: Offer): string {
  try {
    return shown(negotiate(accept, offer, names));
  } catch (error) {
    if (error instanceof StatusError) return String(error.status.code);
    throw error;
  }
}

const protobuf = 'application/vnd.cluster.protobuf';
const as = (kind: string, version = 'v1'): string => `as=${kind};g=meta.cluster.io;v=${version}`;

describe('an Accept header', () => {
  it.each([
    ['', 'json'],
    ['*/*', 'json'],
    ['application/yaml', 'yaml'],
    ['text/html, */*;q=0.8', 'json'],
    // What is said exactly comes before what is said with a wildcard, though it is liked less.
    ['*/*, application/yaml', 'yaml'],
    ['*/*, application/yaml;q=0.1', 'yaml'],
    ['application/yaml;q=0.1, */*', 'json'],
    ['application/yaml;q=x, application/json;q=0.1', 'json'],
    ['application/*', '406'],
    ['application/*, application/yaml', 'yaml'],
    ['*', '406'],
    ['application/json;stream=watch', 'json'],
    ['application/json;stream=other', '406'],
    ['application/yaml;stream=watch', '406'],
    ['application/json;sv=v1', '406'],
    ['application/json;g=meta.cluster.io;v=v1', '406'],
    [`application/json;${as('Table')}`, 'json Table v1'],
    [`application/yaml;${as('Table', 'v1beta1')}`, 'yaml Table v1beta1'],
    [`${protobuf};${as('Table')}`, '406'],
    [`${protobuf};${as('Table')},application/json;${as('Table')}`, 'json Table v1'],
    [`${protobuf};${as('PartialObjectMetadata')}`, 'protobuf PartialObjectMetadata v1'],
  ])('%s on a resource: %s', (accept, wanted) => expect(answer(accept, resource)).toBe(wanted));

  it.each([
    ['application/*', 'json'],
    [protobuf, '406'],
    [`${protobuf},application/json`, 'json'],
    [`${protobuf};${as('PartialObjectMetadataList')}`, 'protobuf PartialObjectMetadataList v1'],
  ])('%s on a custom resource: %s', (accept, wanted) => expect(answer(accept, custom)).toBe(wanted));

  it.each([
    // Errors go out to those who want to watch, too.
    [`${protobuf};stream=watch`, 'protobuf'],
    ['application/yaml;stream=watch', '406'],
    [`application/json;${as('Table')}`, '406'],
  ])('%s on a document: %s', (accept, wanted) => expect(answer(accept, document)).toBe(wanted));
});

describe('a header of some hundred kilobytes', () => {
  // A time that grows with the square of the length would not end within the test's limit.
  const long = (text: string): string => text.repeat(300_000 / text.length);

  it.each([
    ['a weight that is nearly a number', `application/yaml;q=${long('0')}x, application/json;q=0.1`, 'json'],
    ['weights that rise', Array.from({ length: 60_000 }, (_, i) => `a/b;q=0.${1e5 + i}`).join(), '406'],
    ['clauses without a type', `${long(',')}*/*`, 'json'],
  ])('an Accept with %s is read in linear time', (_what, accept, wanted) =>
    expect(answer(accept, resource)).toBe(wanted),
  );

  it('a Content-Type that ends in spaces is read in linear time', () => {
    expect(bodyEncoding(`application/yaml;a=b${long(' ')};${long(' ')}`, names)).toBe('yaml');
    expect(() => bodyEncoding(`application/yaml;a=b${long(' ')}x`, names)).toThrow(StatusError);
  });
});

describe('a Content-Type', () => {
  it.each([
    ['', 'json'],
    ['Application/YAML ; charset=utf-8', 'yaml'],
    ['application/json;', 'json'],
    ['application/json; a="b;c"', 'json'],
    ['application/json; charset', '415'],
    ['application/json,application/yaml', '415'],
    ['json', '415'],
    [';', '415'],
  ])('%s: %s', (type, wanted) => {
    const encoding = (): string => bodyEncoding(type, names);
    if (wanted === '415') expect(encoding).toThrow();
    else expect(encoding()).toBe(wanted);
  });
});
