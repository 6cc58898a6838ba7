/** What Tab offers: programs, files, and for the cluster's client everything that its words can name. */
import { trimRight } from '../../std/index.ts';
import { joinPath, SystemError, type DirectoryNode, type MountTable } from '../../programs/index.ts';
import type { Choice, Completion } from '../line/lineEditor.ts';
import type { Acting } from '../machine/context.ts';
import { HOME } from '../machine/home.ts';
import type { Surroundings } from '../surroundings.ts';
import { clientWords, type Offer } from './client.ts';
import { Knowledge } from './cluster.ts';
import { quoteWord, typedWords, type Typed } from './words.ts';

export interface CompleterOptions {
  readonly surroundings: Surroundings;
  /** As whom the cluster is asked, and in which namespace. */
  readonly acting: Acting;
  readonly memory: object;
  /** Names of programs and of what the shell does itself. */
  readonly programs: readonly string[];
  readonly mounts: MountTable;
  readonly cwd: string;
}

const CLIENTS = ['clusterctl', 'kubectl', 'k'];

/** What completes a line at a place. */
export function completer(options: CompleterOptions): (text: string, at: number) => Promise<Completion> {
  return async (text, at) => {
    const typed = typedWords(text.slice(0, at));
    const offers = await offersFor(typed, options);
    const seen = new Set<string>();
    const choices = offers
      .filter(({ text: offered }) => offered.startsWith(typed.word) && !seen.has(offered) && seen.add(offered))
      .map((offer) => choiceOf(offer, typed));
    return { from: typed.from, choices };
  };
}

function choiceOf({ text, shown, open }: Offer, { quote }: Typed): Choice {
  const quoted = quoteWord(text, quote);
  return { text: open ? quoted : `${quoted}${quote} `, shown: shown ?? text };
}

async function offersFor(typed: Typed, options: CompleterOptions): Promise<readonly Offer[]> {
  const { words, word, isTarget } = typed;
  const [program, ...rest] = words;
  const files = (): readonly Offer[] => filesFor(word, options);
  if (isTarget) return files();
  if (program === undefined) {
    if (word.includes('/')) return files();
    return [...options.programs].sort().map((text) => ({ text }));
  }
  if (!CLIENTS.includes(program)) return files();
  const knowledge = new Knowledge(options.surroundings, options.memory, options.acting.headers);
  return clientWords(rest, word, { knowledge, files, namespace: options.acting.namespace });
}

/** The files that a path that is begun can lead to; those of a hidden name only where it begins so. */
function filesFor(word: string, { mounts, cwd }: CompleterOptions): readonly Offer[] {
  const slash = word.lastIndexOf('/');
  const typed = word.slice(0, slash + 1);
  const name = word.slice(slash + 1);
  const folder = typed.replace(/^~(?=\/)/, HOME);
  const path = folder.startsWith('/') ? folder : joinPath(cwd, folder);
  const entries = entriesOf(mounts, path);
  return [...entries]
    .filter(([entry]) => !entry.startsWith('.') || name.startsWith('.'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([entry, isFolder]) => {
      const end = isFolder ? '/' : '';
      return { text: `${typed}${entry}${end}`, shown: `${entry}${end}`, open: isFolder };
    });
}

function entriesOf(mounts: MountTable, path: string): ReadonlyMap<string, boolean> {
  try {
    const { node } = mounts.find(trimRight(path, '/') || '/', true);
    if (node.type !== 'directory') return new Map();
    return new Map([...entriesIn(node)]);
  } catch (problem) {
    if (problem instanceof SystemError) return new Map();
    throw problem;
  }
}

const entriesIn = (folder: DirectoryNode): (readonly [string, boolean])[] =>
  [...folder.entries].map(([name, node]) => [name, node.type === 'directory'] as const);
