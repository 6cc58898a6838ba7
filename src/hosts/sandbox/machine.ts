/** One run of a handler in a machine of its own: QuickJS in WebAssembly, with bounds for memory and time. */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import type { Job, Limits, Run } from '../../cluster/index.ts';
import { hostTime } from '../../std/index.ts';
import { installGlobals, type Timers } from './globals.ts';

const PAGE_BYTES = 65_536;
/** The engine's own memory at its start; it declares that it needs this much. */
const FIRST_PAGES = 256;
const STACK_BYTES = 256 * 1024;
/** As much as a request may bring. */
const LONGEST_ANSWER = 3 * 1024 * 1024;

/** Runs a job to its end. Never rejects. */
export async function runJob(engine: WebAssembly.Module, { code, input, limits }: Job): Promise<Run> {
  const logs: string[] = [];
  const until = hostTime.now() + limits.milliseconds;
  try {
    const { vm, runtime } = await createMachine(engine, limits, until);
    const timers = installGlobals(vm, logs);
    const value = await callHandler({ vm, runtime, timers, until }, code, input);
    return { outcome: 'returned', value, logs };
  } catch (error) {
    return { ...judge(error, limits, until), logs };
  }
}

interface Machine {
  readonly vm: QuickJSContext;
  readonly runtime: QuickJSRuntime;
  readonly timers: Timers;
  readonly until: number;
}

/** The engine and everything that the code allocates are in one memory with a fixed limit. */
async function createMachine(
  engine: WebAssembly.Module,
  { bytes }: Limits,
  until: number,
): Promise<Pick<Machine, 'vm' | 'runtime'>> {
  const maximum = Math.max(FIRST_PAGES, Math.ceil(bytes / PAGE_BYTES));
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: engine, wasmMemory }));
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: STACK_BYTES });
  runtime.setInterruptHandler(() => hostTime.now() > until);
  return { vm: runtime.newContext(), runtime };
}

/** What the code itself threw, as a value of this side. */
class Thrown extends Error {
  override name = 'Thrown';
  readonly value: unknown;

  constructor(value: unknown) {
    super('the code threw');
    this.value = value;
  }
}

class LateError extends Error {
  override name = 'LateError';
}

async function callHandler(machine: Machine, code: string, input: string): Promise<string | undefined> {
  const { vm } = machine;
  const json = vm.getProp(vm.global, 'JSON');
  const [parse, stringify] = [vm.getProp(json, 'parse'), vm.getProp(json, 'stringify')];
  const module = await settled(machine, unwrap(vm, vm.evalCode(code, 'handler.js', { type: 'module' })));
  const handler = vm.getProp(module, 'default');
  if (vm.typeof(handler) !== 'function')
    throw new Thrown('there is no handler: write "export default (review) => …" in handler.js');
  const list = unwrap(vm, vm.callFunction(parse, json, vm.newString(input)));
  const length = vm.getNumber(vm.getProp(list, 'length'));
  const given = Array.from({ length }, (_, i) => vm.getProp(list, i));
  const answer = await settled(machine, unwrap(vm, vm.callFunction(handler, vm.undefined, ...given)));
  const text = unwrap(vm, vm.callFunction(stringify, json, answer));
  if (vm.typeof(text) !== 'string') return undefined;
  if (vm.getNumber(vm.getProp(text, 'length')) > LONGEST_ANSWER) throw new Thrown('the answer is longer than 3 MiB');
  return vm.getString(text);
}

type Result = ReturnType<QuickJSContext['evalCode']>;

function unwrap(vm: QuickJSContext, result: Result): QuickJSHandle {
  if (result.error) throw new Thrown(vm.dump(result.error));
  return result.value;
}

/** The result of the code's promise; its timers run meanwhile. Other values are returned unchanged. */
async function settled(machine: Machine, value: QuickJSHandle): Promise<QuickJSHandle> {
  const { vm, runtime, timers, until } = machine;
  for (;;) {
    const jobs = runtime.executePendingJobs();
    if (jobs.error) throw new Thrown(vm.dump(jobs.error));
    const state = vm.getPromiseState(value);
    if (state.type === 'fulfilled') return state.value;
    if (state.type === 'rejected') throw new Thrown(vm.dump(state.error));
    const timer = timers.next();
    if (!timer) throw new Thrown('the promise of the handler can never settle: nothing is under way');
    await new Promise<void>((resolve) => {
      hostTime.schedule(() => resolve(), Math.max(0, Math.min(timer.due, until) - hostTime.now()));
    });
    // Hosts may fire timers a moment early: what is due after the end is late even then.
    if (timer.due >= until || hostTime.now() >= until) throw new LateError('late');
    unwrap(vm, vm.callFunction(timer.callback, vm.undefined));
  }
}

type Judged = { outcome: 'threw'; message: string } | { outcome: 'ended'; limit: 'time' | 'memory'; message: string };

/** An engine without memory can't even make the error that would say so: then it throws null, or breaks. */
function judge(error: unknown, { milliseconds, bytes }: Limits, until: number): Judged {
  const value = error instanceof Thrown ? error.value : undefined;
  const late = error instanceof LateError || (isError(value, 'interrupted') && hostTime.now() >= until);
  if (late) return { outcome: 'ended', limit: 'time', message: `it ran for more than ${milliseconds / 1000} s` };
  if (value === null || isError(value, 'out of memory') || !(error instanceof Thrown))
    return { outcome: 'ended', limit: 'memory', message: `it used more than ${bytes / 1024 / 1024} MiB of memory` };
  return { outcome: 'threw', message: described(value) };
}

const isError = (value: unknown, message: string): boolean =>
  isRecord(value) && value.name === 'InternalError' && value.message === message;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Globals that people may expect from a page, a server or a worker. */
const UNAVAILABLE_GLOBAL =
  /^'(fetch|XMLHttpRequest|WebSocket|EventSource|indexedDB|localStorage|sessionStorage|caches|document|window|self|navigator|location|Worker|importScripts|postMessage|process|require|Deno|Bun|crypto|WebAssembly)' is not defined$/;

function described(value: unknown): string {
  if (!isRecord(value)) return String(value);
  const message = String(value.message ?? JSON.stringify(value));
  const name = typeof value.name === 'string' ? `${value.name}: ` : '';
  const hint = UNAVAILABLE_GLOBAL.test(message) ? ' (what runs here has no network, no storage and no page)' : '';
  const where = typeof value.stack === 'string' ? /handler\.js:\d+(:\d+)?/.exec(value.stack)?.[0] : undefined;
  return `${name}${message}${hint}${where ? ` at ${where}` : ''}`;
}
