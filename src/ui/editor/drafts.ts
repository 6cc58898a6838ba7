/** Texts that are being written, one for each place of the editor; kept until they are applied or thrown away. */
import { getOwn } from '../../std/index.ts';
import { create } from '../store.ts';
import { messageOf, readObject } from '../stores/actions.ts';
import { go } from '../stores/address.ts';
import { formatRef, versionOf, type ObjectRef, type Resource } from '../stores/resources.ts';
import { theCluster } from '../stores/session.ts';
import { toast } from '../parts/Toast.tsx';

export interface Draft {
  readonly text: string;
  /** What it was before it was touched: a draft that equals it may be replaced without asking. */
  readonly original: string;
}

export const NEW = 'new';

export const useDrafts = create<{ readonly drafts: Readonly<Record<string, Draft>> }>()(() => ({ drafts: {} }));

export function setDraft(key: string, text: string, original?: string): void {
  useDrafts.setState(({ drafts }) => ({
    drafts: { ...drafts, [key]: { text, original: original ?? getOwn(drafts, key)?.original ?? '' } },
  }));
}

/** The text that a person has just opened: its editor takes the focus. */
let opened: string | undefined;

/** Whether the editor of `key` takes the focus now. Only the first editor of a text that was opened does. */
export function claimFocus(key: string): boolean {
  const claimed = opened === key;
  if (claimed) opened = undefined;
  return claimed;
}

function show(key: string): void {
  opened = key;
  go({ query: { sel: `editor:${key}`, tab: undefined, field: undefined } });
}

function untouched(key: string): boolean {
  const draft = getOwn(useDrafts.getState().drafts, key);
  return draft === undefined || draft.text === draft.original || draft.text.trim() === '';
}

/** Puts a text into the editor for new objects, unless something is being written there. */
export function offer(text: string): void {
  if (untouched(NEW)) setDraft(NEW, text, text);
  else setDraft(NEW, `${useDrafts.getState().drafts[NEW]?.text.trimEnd() ?? ''}\n---\n${text}`);
}

/** Begins a draft with the object as it is now, unless something is being written there. */
export async function loadForEdit(target: ObjectRef): Promise<void> {
  const key = formatRef(target);
  if (!untouched(key)) return;
  try {
    const [object, { printForEdit }] = await Promise.all([readObject(target), import('../panels/object/yaml.ts')]);
    const text = printForEdit(object);
    setDraft(key, text, text);
  } catch (error) {
    toast('failed', `${target.name} could not be read.`, messageOf(error));
  }
}

export type Occasion =
  { readonly kind: 'new'; readonly resource?: Resource } | { readonly kind: 'edit'; readonly target: ObjectRef };

/** Opens the editor: for something new (with its kind's example to begin with), or for an object as it is now. */
export function openEditor(occasion: Occasion): void {
  if (occasion.kind === 'edit') {
    void loadForEdit(occasion.target);
    return show(formatRef(occasion.target));
  }
  void begin(occasion.resource);
  show(NEW);
}

/** What the editor for new objects starts with: something for the kind asked for, or what stands there already. */
async function begin(resource: Resource | undefined): Promise<void> {
  const { names } = theCluster();
  const { beginningFor } = await import('./examples/index.ts');
  const blank = (useDrafts.getState().drafts[NEW]?.text ?? '').trim() === '';
  if (resource && untouched(NEW)) offer(beginningFor(resource.kind, versionOf(resource), names));
  else if (blank) offer(beginningFor('Deployment', 'apps/v1', names));
}
