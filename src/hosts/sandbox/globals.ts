/** What code in a machine finds besides the language: a console, timers, base64. */
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { hostTime } from '../../std/index.ts';

const MOST_LINES = 100;
const LONGEST_LINE = 2000;

export interface Timer {
  readonly id: number;
  /** Milliseconds since the epoch, by the host. */
  readonly due: number;
  readonly callback: QuickJSHandle;
}

export interface Timers {
  /** Takes out the timer that is due first. */
  next(): Timer | undefined;
}

/** `logs` receives what the code writes. */
export function installGlobals(vm: QuickJSContext, logs: string[]): Timers {
  installConsole(vm, logs);
  define(vm, 'btoa', (text) => vm.newString(btoa(vm.getString(text as QuickJSHandle))));
  define(vm, 'atob', (text) => vm.newString(atob(vm.getString(text as QuickJSHandle))));
  return installTimers(vm);
}

type Native = (...given: (QuickJSHandle | undefined)[]) => QuickJSHandle | undefined;

function define(vm: QuickJSContext, name: string, native: Native, on = vm.global): void {
  vm.setProp(
    on,
    name,
    vm.newFunction(name, (...given) => native(...given) ?? vm.undefined),
  );
}

function installConsole(vm: QuickJSContext, logs: string[]): void {
  const console = vm.newObject();
  const write: Native = (...given) => {
    if (logs.length >= MOST_LINES) return undefined;
    const words = given.map((handle) => textOf(handle && (vm.dump(handle) as unknown)));
    logs.push(words.join(' ').slice(0, LONGEST_LINE));
    return undefined;
  };
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) define(vm, level, write, console);
  vm.setProp(vm.global, 'console', console);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function installTimers(vm: QuickJSContext): Timers {
  const timers = new Map<number, Timer>();
  let lastId = 0;
  define(vm, 'setTimeout', (callback, ms) => {
    if (!callback || vm.typeof(callback) !== 'function') throw new TypeError('setTimeout needs a function');
    const wait = ms ? vm.getNumber(ms) || 0 : 0;
    const id = ++lastId;
    timers.set(id, { id, due: hostTime.now() + Math.max(0, wait), callback: callback.dup() });
    return vm.newNumber(id);
  });
  define(vm, 'clearTimeout', (id) => {
    if (id) timers.delete(vm.getNumber(id));
    return undefined;
  });
  return {
    next: () => {
      const first = [...timers.values()].reduce<Timer | undefined>((a, b) => (a && a.due <= b.due ? a : b), undefined);
      if (first) timers.delete(first.id);
      return first;
    },
  };
}
