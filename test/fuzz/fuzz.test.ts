/** Inputs that the fuzzer found once, and some of each area: answered in time, never with a fault of the server. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { areas } from './areas.ts';
import type { Input } from './input.ts';
import { Target } from './target.ts';

const CORPUS = 'test/fuzz/corpus';
const SEED = 20;
const INPUTS_PER_AREA = 100;

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target.stop());

describe('an input that the fuzzer found once', () => {
  test.each(readdirSync(CORPUS))('%s', async (file) => {
    const input = JSON.parse(readFileSync(`${CORPUS}/${file}`, 'utf8')) as Input;
    expect(await target.problemOf(input)).toBeUndefined();
  });
});

test.each(Object.entries(areas))('random inputs of the area %s', { timeout: 60_000 }, async (_name, inputs) => {
  for (const input of fc.sample(inputs, { numRuns: INPUTS_PER_AREA, seed: SEED }))
    expect(await target.problemOf(input), JSON.stringify(input)).toBeUndefined();
});
