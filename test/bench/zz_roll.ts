import { rollOut, percentile } from './node/rollout.ts';
const spin = process.env.SPIN === '1'; let on = true;
const tick = (): void => { if (on) setImmediate(tick); };
if (spin) tick();
const { cpu, wall, seconds } = await rollOut(Number(process.env.R), 50);
on = false;
const f = (x: readonly number[]) => [50, 90, 95, 98, 99, 99.9].map((p) => `p${p} ${percentile(x, p).toFixed(0)}`).join(' ');
console.log(`spin ${spin}: cpu ${f(cpu)} max ${cpu.at(-1)?.toFixed(0)} | wall ${f(wall)} | ${seconds.cpu.toFixed(0)} s CPU ${seconds.wall.toFixed(0)} s wall n ${cpu.length}`);
process.exit(0);
