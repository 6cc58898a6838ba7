/** Plays the script of policies: what the pods reach after each step is compared with what the step says. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { pairsOf } from '../world.ts';
import { output, write, type Field } from './field.ts';
import { deniedPairs, type Probe } from './pods.ts';
import { scripts, type Step } from './policies.ts';

const USUAL: Probe = { port: 80, protocol: 'tcp', by: 'name' };

export interface Stage {
  readonly field: Field;
  readonly addresses: ReadonlyMap<string, string>;
}

const PATIENCE = 180_000;

/** Declares a test for each script. `timeout` is how long a connection may take. */
export function playPolicies(stage: () => Stage, timeout: string): void {
  test.each(scripts)(
    '%s',
    async (_, steps) => {
      const { field, addresses } = stage();
      await output(field, ['delete', 'networkpolicies', '-n', 'x', '--all']);
      for (const step of steps) {
        await change(field, step, (pod) => addresses.get(pod) ?? '');
        for (const { pairs, ...more } of step.denied) {
          const probe = { ...USUAL, ...more };
          const look = (): Promise<Set<string>> => deniedPairs(field, addresses, probe, timeout);
          const what = `${step.title}: ${JSON.stringify(probe)}`;
          await expect.poll(look, { timeout: 30_000, interval: 0, message: what }).toEqual(pairsOf(pairs));
        }
      }
    },
    PATIENCE,
  );
}

async function change(
  field: Field,
  { policies = {}, deleted = [], labels = [] }: Step,
  addressOf: (pod: string) => string,
) {
  for (const name of deleted) await output(field, ['delete', 'networkpolicy', '-n', 'x', name]);
  for (const words of labels) await output(field, ['label', '--overwrite', ...words.split(' ')]);
  const all = Object.entries(policies).map(([name, spec]) => ({
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name, namespace: 'x' } },
    spec: parse(typeof spec === 'string' ? spec : spec(addressOf)) as object,
  }));
  if (all.length > 0) await write(field, 'apply', all);
}
