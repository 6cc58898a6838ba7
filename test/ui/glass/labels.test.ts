import { describe, expect, it } from 'vitest';
import { besidePoint, captionIn, LABEL, overlap } from '../../../src/ui/panels/glass/canvas/labels.ts';

/** Ten pixels a letter. */
const type = { measure: (text: string): number => text.length * 10, height: 16 };
const LIMIT = 300;
const room = { from: 0, to: LIMIT };

describe('the name beside a point', () => {
  it.each([
    ['short, with room at its right', 'create', 100, 'create', 'right'],
    ['with room at its left alone', 'create Pod web', 250, 'create Pod web', 'left'],
    ['with room on neither side', 'update the status of Pod frontend-x1', 150, 'update…end-x1', 'right'],
  ])('%s', (_, text, x, shown, side) => {
    const label = besidePoint(text, { x, y: 50 }, room, type);
    expect(label.text).toBe(shown);
    expect(label.box.x > x ? 'right' : 'left').toBe(side);
  });

  it('covers neither its point nor what lies beyond the edges, wherever the point is', () => {
    for (let x = 30; x <= LIMIT - 30; x += 5)
      for (const text of ['a', 'create Pod web', 'update the status of Deployment frontend']) {
        const { box } = besidePoint(text, { x, y: 50 }, room, type);
        expect(overlap(box, { x: x - LABEL.gap + 1, y: 49, width: 2 * LABEL.gap - 2, height: 2 })).toBe(false);
        expect([box.x >= 0, box.x + box.width <= LIMIT]).toEqual([true, true]);
      }
  });
});

it.each([
  ['beyond the room, at its right', LIMIT + 40, 'create Pod web', LIMIT],
  ['just beyond it', LIMIT + LABEL.gap / 2, 'create Pod web', LIMIT - LABEL.gap / 2],
  ['beyond the room, too long for it', LIMIT + 40, 'update the status of Deployment frontend', LIMIT],
])('a name stays within the room where its point is %s', (_, x, text, end) => {
  const { box } = besidePoint(text, { x, y: 50 }, { from: 60, to: LIMIT }, type);
  expect(box.x).toBeGreaterThanOrEqual(60);
  expect(box.x + box.width).toBe(end);
});

it('a name does not reach over what stands at the left of the room', () => {
  for (let x = 60; x <= LIMIT; x += 5)
    expect(
      besidePoint('update the status of Pod x', { x, y: 0 }, { from: 60, to: LIMIT }, type).box.x,
    ).toBeGreaterThanOrEqual(60);
});

it.each([
  ['create', 'create'],
  ['update the status of Pod frontend-x1', 'update th…ontend-x1'],
])('%j fills a box of its own, from its left side', (text, shown) => {
  const ground = { x: 10, y: 50, width: 200, height: 32 };
  const label = captionIn(text, ground, type);
  expect([label.text, label.box.x, label.box.y]).toEqual([shown, 10, 58]);
  expect(label.box.x + label.box.width).toBeLessThanOrEqual(210);
});

it('boxes that only touch do not overlap', () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  expect(overlap(box, { ...box, x: 10 })).toBe(false);
  expect(overlap(box, { ...box, x: 9 })).toBe(true);
  expect(overlap(box, { ...box, x: 9, y: 10 })).toBe(false);
  expect(overlap({ ...box, y: 10 }, box)).toBe(false);
  expect(overlap({ ...box, x: 10 }, box)).toBe(false);
});

it('a name with wide letters is shortened until it fits', () => {
  const wide = {
    measure: (text: string): number => [...text].reduce((sum, letter) => sum + (letter === 'w' ? 20 : 5), 0),
    height: 16,
  };
  const { text, box } = captionIn('iiiiiiiiiiiiiiiiiiiiwwwwwwwwww', { x: 0, y: 0, width: 150, height: 32 }, wide);
  expect(text).toMatch(/^i+…w+$/);
  expect(box.x + box.width).toBeLessThanOrEqual(150);
});
