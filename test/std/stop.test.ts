import { describe, expect, test, vi } from 'vitest';
import { abortSignalOf, firstOf, Stop } from '../../src/std/index.ts';

describe('a stop', () => {
  test('calls each listener once', () => {
    const stop = new Stop();
    const heard: string[] = [];
    const first = (): void => void heard.push('first');
    stop.addEventListener('abort', first);
    stop.addEventListener('abort', first);
    stop.addEventListener('abort', () => heard.push('second'));
    expect(stop.aborted).toBe(false);
    stop.abort();
    stop.abort();
    expect([stop.aborted, heard]).toEqual([true, ['first', 'second']]);
  });

  test('does not call a listener that was removed, nor one that was added too late', () => {
    const stop = new Stop();
    const heard: string[] = [];
    const removed = (): void => void heard.push('removed');
    stop.addEventListener('abort', removed);
    stop.removeEventListener('abort', removed);
    stop.addEventListener('abort', () => heard.push('kept'));
    stop.removeEventListener('abort', removed);
    stop.abort();
    stop.addEventListener('abort', () => heard.push('late'));
    expect(heard).toEqual(['kept']);
  });

  test('does not call a listener that an earlier one removes', () => {
    const stop = new Stop();
    const heard: string[] = [];
    const second = (): void => void heard.push('second');
    stop.addEventListener('abort', () => stop.removeEventListener('abort', second));
    stop.addEventListener('abort', second);
    stop.addEventListener('abort', () => heard.push('third'));
    stop.abort();
    expect(heard).toEqual(['third']);
  });

  test('calls the other listeners if one throws, and tells the host', () => {
    const told: unknown[] = [];
    const host = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((work) => void told.push(work));
    const stop = new Stop();
    const heard: string[] = [];
    stop.addEventListener('abort', () => {
      throw new Error('broken');
    });
    stop.addEventListener('abort', () => heard.push('second'));
    stop.abort();
    host.mockRestore();
    expect([heard, told.length]).toEqual([['second'], 1]);
  });

  test('has stopped already when its listeners are called', () => {
    const stop = new Stop();
    let seen = false;
    stop.addEventListener('abort', () => (seen = stop.aborted));
    stop.abort();
    expect(seen).toBe(true);
  });
});

describe('the first of several signals', () => {
  test.each([0, 1])('stops with signal %i', (index) => {
    const stops = [new Stop(), new Stop()];
    const any = firstOf(...stops);
    let calls = 0;
    const listener = (): void => {
      calls += 1;
      any.removeEventListener('abort', listener);
    };
    any.addEventListener('abort', listener);
    expect(any.aborted).toBe(false);
    stops[index]?.abort();
    stops[1 - index]?.abort();
    expect([any.aborted, calls]).toEqual([true, 1]);
  });
});

describe('as an AbortSignal', () => {
  test('is the signal itself if it is one', () => {
    const { signal } = new AbortController();
    expect(abortSignalOf(signal)).toBe(signal);
  });

  test('aborts with the stop', () => {
    const stop = new Stop();
    const signal = abortSignalOf(stop);
    expect(signal.aborted).toBe(false);
    stop.abort();
    expect(signal.aborted).toBe(true);
    expect(abortSignalOf(stop).aborted).toBe(true);
  });
});
