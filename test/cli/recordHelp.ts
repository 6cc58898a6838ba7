/** Keeps what the reference's client says to `--help`, for the commands that there are here, in `src/cli/help/recorded.json`: `node test/tools/run.mjs test/cli/recordHelp.ts`. */
import { writeFileSync } from 'node:fs';
import { commands, type Command } from '../../src/cli/index.ts';
import { kubectlHere, runKubectl } from '../hosts/kubectlClient.ts';

const settings = { cwd: '.', env: { HOME: '/home/you' } };

/** Where the profiles have names of their own; addresses stay. */
const WORDS = /https?:\/\/\S+|kubectl-|\bkubectl\b|Kubernetes|kubernetes\.io|k8s\.io|kubernetes/g;

const placeholders: Readonly<Record<string, string>> = {
  ...{ 'kubectl-': '{ctl}-', kubectl: '{program}', Kubernetes: '{Product}', kubernetes: '{product}' },
  ...{ 'kubernetes.io': '{label}', 'k8s.io': '{domain}' },
};

const pathsOf = (among: readonly Command[], above: readonly string[] = []): readonly (readonly string[])[] =>
  among.flatMap(({ name, subcommands }) => [[...above, name], ...pathsOf(subcommands, [...above, name])]);

async function main(): Promise<void> {
  if (!kubectlHere.has) return console.log(`Skipped: ${kubectlHere.why}.`);
  const recorded: Record<string, string> = { '': await said(['--help']), options: await said(['options']) };
  for (const path of pathsOf(commands)) {
    const text = await said([...path, '--help']);
    // For a command that it does not have, the client shows nothing or the help of what stands above it.
    if (text !== '' && text !== recorded[path.slice(0, -1).join(' ')]) recorded[path.join(' ')] = text;
  }
  writeFileSync('src/cli/help/recorded.json', `${JSON.stringify(recorded, null, 2)}\n`);
  console.log(`${Object.keys(recorded).length} texts recorded.`);
}

async function said(words: readonly string[]): Promise<string> {
  const { out, code } = await runKubectl(words, settings);
  return (code === 0 ? out : '').replace(WORDS, (word) => placeholders[word] ?? word);
}

await main();
