import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { surviveErrors } from '../../src/hosts/node/problems.ts';
import { throwRejections, traceErrors } from '../../src/hosts/worker/problems.ts';
import { manualClock } from '../../src/std/index.ts';
import { createTracer, type TraceEvent, type Tracer } from '../../src/trace/index.ts';

const errorEvent = (error: Error): Event =>
  Object.assign(new Event('error', { cancelable: true }), { error, message: error.message });

function recording(): { readonly tracer: Tracer; readonly events: TraceEvent[] } {
  const tracer = createTracer(manualClock());
  const events: TraceEvent[] = [];
  tracer.listen((event) => events.push(event), ['problem']);
  return { tracer, events };
}

describe('an error that nothing in a worker caught', () => {
  test('is a trace event where somebody follows them', () => {
    const { tracer, events } = recording();
    const worker = new EventTarget();
    traceErrors(worker, tracer);
    const event = errorEvent(new Error('boom'));
    worker.dispatchEvent(event);
    expect(events).toMatchObject([{ topic: 'problem', message: 'boom', stack: expect.stringContaining('boom') }]);
    expect(event.defaultPrevented).toBe(true);
  });

  test('goes to the page that started the worker where nobody follows, or the cluster has stopped', () => {
    const unheard = errorEvent(new Error('boom'));
    const worker = new EventTarget();
    traceErrors(worker, createTracer(manualClock()));
    worker.dispatchEvent(unheard);
    expect(unheard.defaultPrevented).toBe(false);

    const stopped = errorEvent(new Error('boom'));
    const { tracer, events } = recording();
    traceErrors(worker, tracer)();
    worker.dispatchEvent(stopped);
    expect(stopped.defaultPrevented).toBe(false);
    expect(events).toEqual([]);
  });

  test('is thrown again where it was a rejection', () => {
    const worker = new EventTarget();
    const rethrow = vi.fn();
    throwRejections(worker, rethrow);
    const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason: 'why' });
    worker.dispatchEvent(event);
    expect(rethrow).toHaveBeenCalledWith('why');
    expect(event.defaultPrevented).toBe(true);
  });
});

describe('an error that nothing in a server process caught', () => {
  test.each([
    ['uncaughtException', new Error('boom'), 'boom'],
    ['unhandledRejection', new Error('boom'), 'boom'],
    ['unhandledRejection', 'a string', 'a string'],
  ])('is printed and traced: %s of %o', (name, error, message) => {
    const { tracer, events } = recording();
    const process = new EventEmitter();
    const printed: string[] = [];
    surviveErrors(process, tracer, (line) => printed.push(line));
    process.emit(name, error);
    expect(events).toMatchObject([{ topic: 'problem', message }]);
    expect(printed).toEqual([expect.stringContaining(message)]);
  });
});
