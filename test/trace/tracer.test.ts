import { beforeEach, describe, expect, test, vi } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import { createTracer, type Tracer } from '../../src/trace/index.ts';

let tracer: Tracer;
const bound = () => ({ topic: 'scheduling', pod: 'ns/p', uid: '1', what: 'bound', node: 'n' }) as const;

beforeEach(() => {
  tracer = createTracer(manualClock(5000));
});

describe('a tracer', () => {
  test('gives events to those who listen for their topic, with the time', () => {
    const [scheduling, gc, all] = [vi.fn(), vi.fn(), vi.fn()];
    tracer.listen(scheduling, ['scheduling']);
    tracer.listen(gc, ['gc']);
    const end = tracer.listen(all);
    tracer.emit(bound());
    end();
    tracer.emit(bound());
    expect(scheduling.mock.calls).toEqual([[{ ...bound(), at: 5000 }], [{ ...bound(), at: 5000 }]]);
    expect(all).toHaveBeenCalledTimes(1);
    expect(gc).not.toHaveBeenCalled();
  });

  test('wants the topics for which somebody listens', () => {
    const end = tracer.listen(() => undefined, ['gc']);
    expect([tracer.wants('gc'), tracer.wants('scheduling')]).toEqual([true, false]);
    end();
    expect(tracer.wants('gc')).toBe(false);
  });

  test('calls `heard` with and without an event, and wants no events for it', () => {
    const [heard, other] = [vi.fn(), vi.fn()];
    const end = tracer.hear(heard, 'scheduling');
    tracer.hear(other, 'gc');
    expect(tracer.wants('scheduling')).toBe(false);
    tracer.happened('scheduling');
    tracer.emit(bound());
    expect(heard.mock.calls).toEqual([[], []]);
    end();
    tracer.happened('scheduling');
    expect(heard).toHaveBeenCalledTimes(2);
    expect(other).not.toHaveBeenCalled();
  });

  test('stops only one of two registrations of the same function', () => {
    const heard = vi.fn();
    const end = tracer.hear(heard, 'gc');
    tracer.hear(heard, 'gc');
    end();
    tracer.happened('gc');
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('removes a listener that throws, and goes on with the others', () => {
    const [broken, deaf, sound] = [vi.fn().mockThrow(new Error('no')), vi.fn().mockThrow(new Error('no')), vi.fn()];
    tracer.listen(broken, ['scheduling']);
    tracer.hear(deaf, 'scheduling');
    tracer.listen(sound, ['scheduling']);
    tracer.happened('scheduling');
    tracer.emit(bound());
    tracer.emit(bound());
    expect([broken, deaf, sound].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 2]);
  });
});
