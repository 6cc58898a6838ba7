import { encodeText } from '../../std/index.ts';
import { OutOfMemory } from '../errors.ts';
import type { Program } from '../process.ts';
import { attempt, fail, out, parseTime, readOptions } from './tool.ts';

/** Uses memory and CPU as its arguments say; for lessons about limits. */
export const stress: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'vq', 'cmit', [
    'cpu=',
    'vm=',
    'vm-bytes=',
    'vm-hang=',
    'timeout=',
    'io=',
    'verbose',
    'vm-keep',
    'hdd=',
  ]);
  const workers = Number(options.value('m', 'vm') ?? 0);
  const bytes = bytesOf(options.value('vm-bytes') ?? '256M') * workers;
  await out(
    process,
    `stress: info: [${process.pid}] dispatching hogs: ${options.value('c', 'cpu') ?? 0} cpu, ${options.value('i', 'io') ?? 0} io, ${workers} vm, 0 hdd\n`,
  );
  const end = process.system.clock.now() + (parseTime(options.value('t', 'timeout') ?? 'infinity') ?? Infinity);
  try {
    process.hold(bytes);
  } catch (problem) {
    if (problem instanceof OutOfMemory) await fail(process, `FAIL: [${process.pid}] worker got signal 9`);
    throw problem;
  }
  const isBusy = Number(options.value('c', 'cpu') ?? 0) > 0;
  while (process.system.clock.now() < end) {
    if (!isBusy && end === Infinity) await process.wait(new Promise(() => undefined));
    else if (!isBusy) await process.sleep(end - process.system.clock.now());
    else await process.step();
  }
  return 0;
};

function bytesOf(text: string): number {
  const [, amount = '0', unit = ''] = /^(\d+)([KMGkmg]?)/.exec(text) ?? [];
  return Number(amount) * ({ K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[unit.toUpperCase()] ?? 1);
}

export const dd: Program = async (process) => {
  const operands = new Map(
    process.args.slice(1).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const),
  );
  const size = bytesOf(operands.get('bs') ?? '512');
  const count = Number(operands.get('count') ?? 1);
  const target = operands.get('of');
  return attempt(process, `error writing '${target ?? 'standard output'}'`, async () => {
    const zeros = new Uint8Array(Math.min(size * count, 64 * 1024 ** 2));
    const text = operands.get('if')?.startsWith('/dev/')
      ? zeros
      : process.files.read(operands.get('if') ?? '/dev/null');
    if (target === undefined) await out(process, text);
    else process.files.write(target, text);
    await process.stderr.write(encodeText(`${count}+0 records in\n${count}+0 records out\n`));
  });
};
