/** Opens what somebody brings: manifests in the editor of a new cluster, or a cluster that was saved as a file. */
import { toast } from '../../parts/Toast.tsx';
import { looksLikeHistory, readHistory } from '../../share/history.ts';
import { makeOffer, type Offer } from '../../share/offer.ts';
import { looksLikeRecipe, parseRecipe } from '../../share/recipe.ts';
import { go } from '../../stores/address.ts';
import { openCluster, useSession } from '../../stores/session.ts';
import { freeName, usualOptions } from './defaults.ts';

/** Texts of more characters than this are no manifests that somebody wants to read in an editor. */
const LONGEST = 2_000_000;

/** Opens a new cluster with the text in its editor, where it is read before anything is applied. */
async function openWith(text: string): Promise<void> {
  const name = freeName('mine', useSession.getState().known);
  go({ cluster: name, panel: 'glass' });
  await openCluster(usualOptions(name));
  const { session } = useSession.getState();
  if (session.phase !== 'open' || session.cluster.name !== name) return;
  const { offer, openEditor } = await import('../../editor/drafts.ts');
  offer(text);
  openEditor({ kind: 'new' });
}

/** Offers what a file holds, or says why it can't be opened. */
async function offerFile(read: () => Offer | Promise<Offer>): Promise<void> {
  try {
    makeOffer(await read());
  } catch (error) {
    makeOffer({ from: 'file', problem: error instanceof Error ? error.message : String(error) });
  }
  document.querySelector('main')?.scrollTo({ top: 0 });
}

/** A cluster that was saved as a file is offered; anything else is manifests. */
function openText(text: string): Promise<void> {
  return looksLikeRecipe(text) ? offerFile(() => ({ from: 'file', recipe: parseRecipe(text) })) : openWith(text);
}

async function openFiles(files: FileList | null): Promise<void> {
  const all = [...(files ?? [])];
  const [file] = all;
  if (!file) return;
  if (all.length === 1 && (await looksLikeHistory(file)))
    return offerFile(async () => ({ from: 'file', history: await readHistory(file) }));
  if (all.reduce((sum, file) => sum + file.size, 0) > LONGEST)
    return toast('failed', 'These files are too large.', 'Manifests of up to 2 MB can be opened at once.');
  const texts = await Promise.all(all.map((file) => file.text()));
  await openText(texts.join('\n---\n'));
}

/** Opens a text, or the files that were dropped or chosen. */
export const bring = (what: string | FileList | null): Promise<void> =>
  typeof what === 'string' ? openText(what) : openFiles(what);
