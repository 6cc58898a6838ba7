import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyPatch, jsonPatching } from '../../src/merge/index.ts';
import type { PatchForm } from '../../src/merge/index.ts';
import { deepFreeze, JsonBody, must } from '../../src/std/index.ts';
import { nodeOf, refusal } from './support.ts';

const node = nodeOf('v1 ConfigMap');
const document = { data: { a: '1' } };

beforeAll(async () => {
  await jsonPatching.load();
});

describe('the body of a patch', () => {
  it.each<[PatchForm, string, unknown]>([
    ['json', '[{"op":"add","path":"/data/b","value":"2"}]', { data: { a: '1', b: '2' } }],
    ['merge', '{"data":{"a":null,"b":"2"}}', { data: { b: '2' } }],
    ['strategic', '{"data":{"$patch":"replace","b":"2"}}', { data: { b: '2' } }],
    ['strategic', 'null', { data: { a: '1' } }],
  ])('%s %s', (form, body, result) => expect(applyPatch(form, document, body, node)).toEqual(result));

  it.each<[PatchForm, string, number]>([
    ['json', 'nonsense', 400],
    ['json', '', 400],
    ['strategic', '{"a":', 400],
    ['strategic', '[]', 400],
    ['merge', 'nonsense', 500],
    ['merge', '', 500],
  ])('%s %j is refused with %i', (form, body, code) => {
    expect(refusal(() => applyPatch(form, document, body, node)).code).toBe(code);
  });

  it.each<PatchForm>(['json', 'merge', 'strategic'])('%s: thousands of levels are refused', (form) => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect(refusal(() => applyPatch(form, document, deep, node)).code).toBe(400);
    const listed = `[${'['.repeat(100_000)}${']'.repeat(100_000)}]`;
    expect(refusal(() => applyPatch(form, document, listed, node)).code).toBe(400);
  });

  it('counts no brackets in texts', () => {
    const text = JSON.stringify({ data: { a: `${'['.repeat(5000)}"\\`, b: `"${'['.repeat(5000)}` } });
    expect(applyPatch('merge', {}, text, node)).toEqual(JSON.parse(text));
  });

  it('counts levels, not brackets', () => {
    const wide = { data: Array.from({ length: 3000 }, (_, i) => (i % 2 ? {} : [])) };
    expect(applyPatch('merge', {}, JSON.stringify(wide), node)).toEqual(wide);
  });

  it('takes a thousand levels, and no more', () => {
    const levels = (count: number): string => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`;
    expect(applyPatch('merge', {}, levels(1000), node)).toEqual(JSON.parse(levels(1000)));
    expect(refusal(() => applyPatch('merge', {}, levels(1001), node)).message).toBe(
      'the patch nests deeper than 1000 levels',
    );
  });

  it('is the same as a value, which stays as it is', () => {
    const names = fc.constantFrom('data', 'metadata', 'finalizers', 'ownerReferences', '$patch', 'a', '__proto__');
    const words = fc.constantFrom<unknown>('replace', 'delete', 'x', null, 1, true);
    const { value: any } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        words,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    const outcome = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return String(error);
      }
    };
    const forms = fc.constantFrom<PatchForm>('merge', 'strategic', 'json');
    fc.assert(
      fc.property(forms, any, any, (form, before, value) => {
        const body = must(JsonBody.of(value), 'a text could say that');
        deepFreeze(body.value);
        const { text } = body;
        expect(outcome(() => applyPatch(form, before, body, node))).toEqual(
          outcome(() => applyPatch(form, before, text, node)),
        );
        expect(body.text).toBe(text);
      }),
    );
  });
});
