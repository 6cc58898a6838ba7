import { expect, test } from 'vitest';
import { commands, run, type Session } from '../../src/cli/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';

async function said(...words: readonly string[]): Promise<string> {
  let text = '';
  const add = (more: string): void => void (text += more);
  const session: Session = {
    ...{ program: 'kubectl', names: namesOf('k8s.io'), clock: realClock(), namespace: 'default' },
    transport: () => Promise.reject(new Error('help asks no server')),
    files: inMemory({}),
    signal: new AbortController().signal,
    ...{ out: add, err: add, input: async () => '' },
  };
  await run(commands, words, session);
  return text;
}
import { inMemory } from './ours.ts';

test.each([
  ['the program lists its commands', [], ['Available Commands:', '  get ', '  rollout ']],
  ['--help is the same', ['--help'], ['  drain ']],
  ['a command tells its options', ['get', '-h'], ['  -o, --output=', 'Usage:\n  kubectl get [']],
  ['help before a command', ['help', 'rollout', 'undo'], ['Usage:\n  kubectl rollout undo']],
  ['a group lists what is under it', ['rollout'], ['  status ', 'kubectl rollout SUBCOMMAND']],
  ['a command with others under it does too', ['create', '--help'], ['  configmap ', '  -f, --filename=[]']],
  [
    'pairs start empty',
    ['debug', '--help'],
    ['  -i, --stdin=false: ', '      --set-image=[]: ', 'kubectl debug (POD | TYPE'],
  ],
  ['options of every command', ['options'], ['  -n, --namespace=', '--token=', '--as=']],
] as const)('%s', async (_, words, parts) => {
  const text = await said(...words);
  for (const part of parts) expect(text).toContain(part);
});

test('options of every command are not told with each', async () => {
  expect(await said('get', '--help')).not.toContain('--token');
});

test('help behind -- belongs to the command in the container', async () => {
  expect(await said('exec', 'web', '--', 'ls', '--help')).not.toContain('Usage:');
});
