import { Play } from 'lucide-preact';
import { useEffect, useMemo, useState } from 'preact/compat';
import { Button, Code, ErrorNote, later, orToast } from '../../parts/index.ts';
import { lessons } from '../../../lessons/index.ts';
import { readManifests } from '../../editor/documents.ts';
import { countKinds } from '../../share/collect.ts';
import { decodeLink } from '../../share/link.ts';
import type { History } from '../../share/history.ts';
import { makeCluster, openHistory } from '../../share/make.ts';
import { makeOffer, useOffer } from '../../share/offer.ts';
import type { Made, Recipe } from '../../share/recipe.ts';
import { leaveLink, useAddress } from '../../stores/address.ts';
import { useSession } from '../../stores/session.ts';
import { freeName } from './defaults.ts';
import { openTerminal } from '../terminal/opened.ts';
import { Fold } from './Fold.tsx';
import styles from './OfferCard.module.css';

const LinkedLesson = later(() => import('../lesson/LinkedLesson.tsx'), null);

/** Characters of manifests that the browser remembers, so that the cluster can begin again with them. */
const LONGEST_KEPT = 200_000;

/** What a link carries, or why it can't be opened. */
function useLink(): void {
  const link = useAddress((address) => address.shared);
  useEffect(() => {
    if (link === undefined) return;
    decodeLink(link).then(
      (recipe) => makeOffer({ from: 'link', recipe }),
      (error: unknown) => makeOffer({ from: 'link', problem: error instanceof Error ? error.message : String(error) }),
    );
  }, [link]);
}

function decline(): void {
  makeOffer(undefined);
  leaveLink();
}

/** Shows what a link or a file would make, and asks before anything of it runs. */
export default function OfferCard() {
  useLink();
  const offer = useOffer((state) => state.offer);
  if (!offer) return null;
  if ('problem' in offer)
    return (
      <ErrorNote
        title={offer.from === 'link' ? 'This link can’t be opened.' : 'This file can’t be opened.'}
        actions={<Button onClick={decline}>Go on without it</Button>}
      >
        {offer.problem}
      </ErrorNote>
    );
  if ('history' in offer) return <AgreeToHistory history={offer.history} />;
  return <Agree recipe={offer.recipe} from={offer.from} />;
}

const flagsOf = ({ options }: Made): readonly string[] =>
  [options.apiserver, options.controllerManager, options.scheduler].flatMap((flags) => flags ?? []);

function Agree({ recipe, from }: { readonly recipe: Recipe; readonly from: 'link' | 'file' }) {
  const known = useSession((state) => state.known);
  const { manifests, problems } = useMemo(() => readManifests(recipe.manifests), [recipe]);
  const name = freeName(recipe.name, known);
  const { nodes = 0, naming } = recipe.options;
  const flags = flagsOf(recipe);
  const make = (): Promise<boolean> => {
    makeOffer(undefined);
    return orToast('The cluster could not be made.', async () => {
      if (recipe.lesson) await (await import('../lesson/linked.ts')).openLessonAt(recipe.lesson);
      else await makeCluster({ ...recipe, name }, recipe.manifests.length < LONGEST_KEPT ? { recipe } : {});
      if (recipe.commands) openTerminal(recipe.commands.join('; '));
    });
  };
  if (recipe.lesson) return <AgreeToLesson {...recipe.lesson} commands={recipe.commands} onOpen={() => void make()} />;
  return (
    <section className={styles.card} aria-label="Shared cluster">
      <h2 className={styles.title}>{from === 'link' ? 'This link carries a cluster' : 'This file holds a cluster'}</h2>
      <p>
        It makes a new cluster <strong>{name}</strong> in this browser, with {nodes} {nodes === 1 ? 'node' : 'nodes'},
        the names of {naming}, and {manifests.length} {manifests.length === 1 ? 'object' : 'objects'}
        {manifests.length > 0 && `: ${countKinds(manifests.map(({ kind }) => kind))}`}. Nothing runs before you say so.
      </p>
      {problems.length > 0 && (
        <p>
          {problems.length} {problems.length === 1 ? 'part' : 'parts'} of it can’t be read and{' '}
          {problems.length === 1 ? 'is' : 'are'} left out.
        </p>
      )}
      <Flags flags={flags} />
      <Commands lines={recipe.commands} />
      <Fold title="Read what it makes">
        <div className={styles.text}>
          <Code language="yaml" text={recipe.manifests} />
        </div>
      </Fold>
      <div className={styles.actions}>
        <Button look="primary" icon={Play} onClick={() => void make()}>
          Make this cluster
        </Button>
        <Button onClick={decline}>Not now</Button>
      </div>
    </section>
  );
}

function Flags({ flags }: { readonly flags: readonly string[] }) {
  if (flags.length === 0) return null;
  return (
    <p>
      Started with <code className={styles.flags}>{flags.join(' ')}</code>
    </p>
  );
}

function AgreeToHistory({ history }: { readonly history: History }) {
  const known = useSession((state) => state.known);
  const { options, revision, compacted, lines } = history;
  const name = freeName(history.name, known);
  const [busy, setBusy] = useState(false);
  // The offer stays until the cluster is open: what failed can be tried again, with a smaller cluster removed first, say.
  const make = async (): Promise<void> => {
    setBusy(true);
    if (await orToast('The history could not be opened.', () => openHistory({ ...history, name })))
      makeOffer(undefined);
    setBusy(false);
  };
  return (
    <section className={styles.card} aria-label="Saved history">
      <h2 className={styles.title}>This file holds a cluster with its history</h2>
      <p>
        It becomes the cluster <strong>{name}</strong> in this browser, with the names of {options.naming} and every
        revision from {compacted + 1} to {revision}, each of which can be opened. Its controllers and nodes go on where
        they were. Nothing runs before you say so.
      </p>
      <p>Its secrets, keys, users and the code of its webhooks are those of whoever saved it.</p>
      <Flags flags={flagsOf(history)} />
      <div className={styles.actions}>
        <Button look="primary" icon={Play} busy={busy} onClick={() => void make()}>
          Open this cluster
        </Button>
        <Button onClick={decline}>Not now</Button>
      </div>
      <p aria-live="polite">{busy && `${megabytes(lines.size)} are checked and kept in this browser.`}</p>
    </section>
  );
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function Commands({ lines }: { readonly lines: Recipe['commands'] }) {
  if (!lines) return null;
  return (
    <p>
      These commands wait in the terminal until you run them: <code className={styles.flags}>{lines.join('; ')}</code>
    </p>
  );
}

interface AgreeToLessonProps extends NonNullable<Recipe['lesson']> {
  readonly commands: Recipe['commands'];
  readonly onOpen: () => void;
}

function AgreeToLesson({ id, step, file, commands, onOpen }: AgreeToLessonProps) {
  if (file !== undefined) return <LinkedLesson file={file} step={step} commands={commands} onClose={decline} />;
  const card = lessons.find((each) => each.id === id);
  if (!card)
    return (
      <ErrorNote title="This link can’t be opened." actions={<Button onClick={decline}>Go on without it</Button>}>
        It leads to a lesson, {id}, which this page does not have.
      </ErrorNote>
    );
  return (
    <section className={styles.card} aria-label="Shared lesson">
      <h2 className={styles.title}>This link leads to a lesson</h2>
      <p>
        <strong>{card.title}</strong>, {card.minutes} minutes, in a cluster of its own
        {step > 0 && `. It begins at task ${step + 1}; those before it are done for you`}.
      </p>
      <Commands lines={commands} />
      <div className={styles.actions}>
        <Button look="primary" icon={Play} onClick={onOpen}>
          Open the lesson
        </Button>
        <Button onClick={decline}>Not now</Button>
      </div>
    </section>
  );
}
