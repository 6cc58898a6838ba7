import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { quoteWord, typedWords } from '../../src/terminal/completion/words.ts';
import { clusterOptions, fill, TOKEN } from '../cli/world.ts';
import { play, type Played } from './support.ts';

describe('the words before the cursor', () => {
  test.each<[string, readonly string[], string, string]>([
    ['', [], '', ''],
    ['ge', [], 'ge', ''],
    ['get po', ['get'], 'po', ''],
    ['get po ', ['get', 'po'], '', ''],
    ['cat a | grep x', ['grep'], 'x', ''],
    ['a && b; c d', ['c'], 'd', ''],
    ['x=1 y=2 get ', ['get'], '', ''],
    ['echo $(cat f', ['cat'], 'f', ''],
    ['echo "a b', ['echo'], 'a b', '"'],
    [`echo 'a "b`, ['echo'], 'a "b', "'"],
    ['echo a\\ b', ['echo'], 'a b', ''],
    ['for i in 1; do get ', ['get'], '', ''],
    ['watch get ', ['get'], '', ''],
    ['cat 2> er', ['cat'], 'er', ''],
    ['cat > out x', ['cat'], 'x', ''],
  ])('%j', (text, words, word, quote) => {
    expect(typedWords(text)).toMatchObject({ words, word, quote });
  });

  test.each([
    ['cat > ou', true],
    ['cat < in', true],
    ['cat >> ', true],
    ['cat > a b', false],
    ['cat a', false],
  ])('%s names a file to redirect to: %s', (text, isTarget) => {
    expect(typedWords(text).isTarget).toBe(isTarget);
  });

  test.each([
    ['a b', '', 'a\\ b'],
    ['a"b', '"', '"a\\"b'],
    ["a'b", "'", "'a'\\''b"],
    ['~/a', '', '~/a'],
    ['plain-1.txt', '', 'plain-1.txt'],
  ] as const)('%s within %j is typed %s', (word, quote, typed) => {
    expect(quoteWord(word, quote)).toBe(typed);
  });
});

describe('Tab', () => {
  let cluster: Cluster;
  let played: Played;
  beforeAll(async () => {
    cluster = await createCluster(clusterOptions());
    await fill(cluster);
    played = await play({ cluster, token: TOKEN });
    await played.line(
      'mkdir -p folder/below; echo x > file.txt; echo y > folder/other.yaml; echo z > "a b"; echo > .hidden',
    );
  }, 120_000);
  afterAll(() => {
    played.terminal.end();
    return cluster.stop();
  });

  /** What stands in the line after Tab, and what was listed. */
  async function tab(typed: string): Promise<{ readonly line: string; readonly listed: string }> {
    // What is typed after Tab is drawn after what Tab did.
    const shown = await played.until(`${typed}\t#`, /#$/);
    await played.until('\x03', /\^C\n.*\$ $/);
    const rows = shown.split('\n');
    return { line: (rows.at(-1) ?? '').replace(/^.*\$ /, '').slice(0, -1), listed: rows.slice(1, -1).join('\n') };
  }

  test.each([
    ['kub', 'kubectl '],
    ['kubectl api-r', 'kubectl api-resources '],
    ['kubectl get deplo', 'kubectl get deployments '],
    ['kubectl get po web-1', 'kubectl get po web-1'],
    ['kubectl get cm set', 'kubectl get cm settings '],
    ['kubectl get pods,depl', 'kubectl get pods,deployments '],
    ['kubectl get configmap/se', 'kubectl get configmap/settings '],
    ['kubectl get pods -n sh', 'kubectl get pods -n shop '],
    ['kubectl get pods --namespace=sh', 'kubectl get pods --namespace=shop '],
    ['kubectl -n shop get configmaps s', 'kubectl -n shop get configmaps s'],
    ['kubectl get pods -o js', 'kubectl get pods -o json'],
    ['kubectl get pods -o ya', 'kubectl get pods -o yaml '],
    ['kubectl get pods -o custom-col', 'kubectl get pods -o custom-columns='],
    ['kubectl get pods --all-n', 'kubectl get pods --all-namespaces '],
    ['kubectl get pods --field-s', 'kubectl get pods --field-selector='],
    ['kubectl get nodes node-', 'kubectl get nodes node-'],
    ['kubectl debug no', 'kubectl debug node/'],
    ['kubectl debug node/node-', 'kubectl debug node/node-'],
    ['cat fi', 'cat file.txt '],
    ['cat fo', 'cat folder/'],
    ['cat folder/o', 'cat folder/other.yaml '],
    ['cat ~/folder/b', 'cat ~/folder/below/'],
    ['cat a', 'cat a\\ b '],
    ['cat "a', 'cat "a b" '],
    ['cat .h', 'cat .hidden '],
    ['echo x > fi', 'echo x > file.txt '],
    ['cat nothing', 'cat nothing'],
    ['kubectl get pods | gre', 'kubectl get pods | grep '],
  ])('%s becomes %s', async (typed, line) => {
    expect((await tab(typed)).line).toBe(line);
  });

  test('lists what there is to choose from', async () => {
    expect((await tab('kubectl get pods web-')).listed).toBe('web-1   web-10  web-2');
    expect((await tab('kubectl get p')).listed).toMatch(/persistentvolumeclaims.*pods.*/s);
    expect((await tab('ls f')).listed).toBe('file.txt  folder/');
  });

  test('asks in the chosen context', async () => {
    await played.line('kubectl config set-credentials anna --token=wrong');
    await played.line('kubectl config set-context hers --cluster=lab --user=anna --namespace=default');
    await played.line('kubectl config set-context there --cluster=lab --user=administrator --namespace=shop');
    const completed = async (context: string): Promise<string> => {
      await played.line(`kubectl config use-context ${context}`);
      return (await tab('kubectl get cm set')).line;
    };
    expect(await completed('hers')).toBe('kubectl get cm set');
    expect(await completed('there')).toBe('kubectl get cm set');
    expect(await completed('lab')).toBe('kubectl get cm settings ');
  });

  test('is no request of the command line', async () => {
    await played.line('true');
    await tab('kubectl get pods w');
    expect(await played.line('true')).toBe('');
  });
});
