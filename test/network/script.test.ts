/**
 * Policies, names and services as clients meet them, by commands in pods of a cluster in this process. `test/hosts/kubectlNetwork.test.ts` plays
 * the same with the real kubectl.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { Bench } from '../controllers/bench.ts';
import { inProcess, type Field } from './script/field.ts';
import { playPolicies } from './script/play.ts';
import { startPods } from './script/pods.ts';
import { playServices, startServices } from './script/services.ts';

let bench: Bench;
let field: Field;
let addresses: ReadonlyMap<string, string>;

beforeAll(async () => {
  bench = await Bench.start({ nodes: 2, naming: 'k8s.io', addons: ['dns'] });
  field = inProcess(bench);
  addresses = await startPods(field);
  await startServices(field);
}, 180_000);
afterAll(() => bench.stop());

describe('policies by exec', () => playPolicies(() => ({ field, addresses }), '1s'));
describe('names and services by exec', () => playServices(() => ({ field })));
