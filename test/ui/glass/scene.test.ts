import { describe, expect, test } from 'vitest';
import type { Plan, Rect } from '../../../src/ui/panels/glass/canvas/geometry.ts';
import { Scene } from '../../../src/ui/panels/glass/canvas/scene.ts';
import { blank } from '../../../src/ui/panels/glass/model/picture.ts';
import type { Beat } from '../../../src/ui/panels/glass/model/recording.ts';

const MS = 300;
type Box = readonly [name: string, Rect];
const stage: Box = ['stage:admission', { x: 100, y: 0, width: 60, height: 300 }];
const webhook: Box = ['webhook:labels.example.com', { x: 105, y: 270, width: 50, height: 20 }];

const planOf = (...boxes: readonly Box[]): Plan => ({
  width: 400,
  height: 300,
  narrow: false,
  boxes: new Map(boxes),
});

const asked: Beat = { at: 0, what: 'asked', request: 'r', webhook: 'labels.example.com' };

function sceneOf(plan: Plan): Scene {
  const scene = new Scene(() => undefined);
  scene.replan(plan, blank(), 0);
  return scene;
}

describe('a webhook that is asked', () => {
  test('is highlighted and gets a pulse that returns with the answer', () => {
    const scene = sceneOf(planOf(stage, webhook));
    scene.beat(asked, blank(), 0, MS);
    const [pulse] = scene.pulses;
    expect([pulse?.request, pulse?.move.route[1], scene.flashes.length]).toEqual(['r', { x: 130, y: 270 }, 1]);
    expect(pulse?.move.route.at(-1)).toEqual(pulse?.move.route[0]);
  });

  test('gets it as soon as it has a box, where it was never asked before', () => {
    const scene = sceneOf(planOf(stage));
    scene.beat(asked, blank(), 0, MS);
    scene.replan(planOf(stage), blank(), 50);
    expect(scene.pulses).toHaveLength(0);
    scene.replan(planOf(stage, webhook), blank(), 100);
    scene.replan(planOf(stage, webhook), blank(), 110);
    expect(scene.pulses).toHaveLength(1);
  });

  test('gets none where its box comes much later', () => {
    const scene = sceneOf(planOf(stage));
    scene.beat(asked, blank(), 0, MS);
    scene.replan(planOf(stage), blank(), 900);
    scene.replan(planOf(stage, webhook), blank(), 1800);
    expect(scene.pulses).toHaveLength(0);
  });
});
