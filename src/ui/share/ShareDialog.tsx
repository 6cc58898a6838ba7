import { Download, FileDown, History, Link } from 'lucide-preact';
import { useEffect, useMemo, useState } from 'preact/compat';
import { profiles } from '../../names/index.ts';
import {
  Button,
  Code,
  CopyButton,
  Dialog,
  ErrorNote,
  Field,
  orToast,
  save,
  Switch,
  TextArea,
  toast,
  Waiting,
} from '../parts/index.ts';
import { hideOverlay } from '../shell/overlay.ts';
import { messageOf } from '../stores/actions.ts';
import { theCluster, theHost } from '../stores/session.ts';
import { countKinds, printManifests } from './collect.ts';
import { madeHere, readShareable, recipeFrom, type Shareable } from './fromCluster.ts';
import { printHistory } from './history.ts';
import { encodeLink, LONGEST_LINK } from './link.ts';
import { MOST_COMMANDS, printRecipe, type Recipe } from './recipe.ts';
import styles from './ShareDialog.module.css';

/** Passes on what people made in this cluster: as a link, as a file, as manifests. */
export default function ShareDialog() {
  const [read, setRead] = useState<Shareable>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    readShareable().then(setRead, (error: unknown) => setProblem(messageOf(error)));
  }, []);
  return (
    <Dialog
      open
      wide
      onClose={hideOverlay}
      title="Share this cluster"
      about="The link or file holds what people made. Controllers create the rest again."
    >
      {problem && <ErrorNote title="The cluster could not be read.">{problem}</ErrorNote>}
      {!read && !problem && <Waiting what="Reading all objects" />}
      {read && <Ways read={read} />}
    </Dialog>
  );
}

/** The link of a recipe; undefined until it is packed. */
function useLink(recipe: Recipe): string | undefined {
  const [packed, setPacked] = useState<{ readonly link: string; readonly recipe: Recipe }>();
  useEffect(() => {
    let gone = false;
    void encodeLink(recipe).then((link) => gone || setPacked({ link, recipe }));
    return () => void (gone = true);
  }, [recipe]);
  // A link that was packed with secrets must not be copied after they were left out.
  return packed?.recipe === recipe ? `${location.origin}${location.pathname}#share=${packed.link}` : undefined;
}

const linesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, MOST_COMMANDS);

function Ways({ read }: { readonly read: Shareable }) {
  const [secrets, setSecrets] = useState(false);
  const [commands, setCommands] = useState('');
  const recipe = useMemo(() => recipeFrom(read, secrets, linesIn(commands)), [read, secrets, commands]);
  const link = useLink(recipe);
  const kinds = read.objects.map(({ kind }) => kind ?? '');
  const tooLong = link !== undefined && link.length > LONGEST_LINK;
  const { name } = theCluster().cluster;
  const copy = (): Promise<boolean> =>
    orToast('The link was not copied.', async () => {
      await navigator.clipboard.writeText(link ?? '');
      toast('allowed', 'The link is on the clipboard.', 'Whoever opens it sees what it makes, and is asked first.');
    });
  const saveFile = (): void =>
    save(new Blob([printRecipe(recipe)], { type: 'application/json' }), `${name}.vitrine.json`);
  return (
    <div className={styles.ways}>
      <p>
        {kinds.length === 0
          ? 'Nothing has been made here yet, so it shares an empty cluster.'
          : `${kinds.length} objects: ${countKinds(kinds)}.`}
      </p>
      {read.leftOut.length > 0 && (
        <p className={styles.note}>Without flags that name files: {read.leftOut.join(', ')}.</p>
      )}
      {kinds.includes('Secret') && (
        <Switch
          label="Include the values of secrets (otherwise each is replaced by “hidden”)"
          checked={secrets}
          onChecked={setSecrets}
        />
      )}
      <Field label="Commands to try" hint="They wait in the terminal until the reader runs them.">
        {(ids) => <TextArea {...ids} rows={2} value={commands} onText={setCommands} />}
      </Field>
      <div className={styles.buttons}>
        <Button
          look="primary"
          icon={Link}
          busy={link === undefined}
          unavailable={
            tooLong &&
            `It would have ${link.length.toLocaleString()} characters. Chats and browsers carry ${LONGEST_LINK.toLocaleString()}.`
          }
          onClick={() => void copy()}
        >
          Copy link
        </Button>
        <Button icon={FileDown} onClick={saveFile}>
          Save as file
        </Button>
        <span className={styles.note}>
          {tooLong
            ? 'It is too large for a link. Save it as a file. The start page opens a copy of this cluster from a file that is dropped on it, and asks before it does.'
            : 'It leads to this view, in a new cluster of whoever opens it.'}
        </span>
      </div>
      <Manifests read={read} secrets={secrets} />
      <WholeHistory />
      {link && !tooLong && <Embed link={link} />}
    </div>
  );
}

function Manifests({ read, secrets }: { readonly read: Shareable; readonly secrets: boolean }) {
  const { cluster, names } = theCluster();
  const saveAs = (profile: (typeof profiles)[number]): void => {
    const text = printManifests(read.objects, names, profile, secrets);
    save(new Blob([text], { type: 'application/yaml' }), `${cluster.name}.${profile}.yaml`);
  };
  return (
    <section className={styles.part} aria-label="Manifests">
      <h3 className={styles.title}>Manifests</h3>
      <p className={styles.note}>Ready for kubectl apply. A real cluster needs the names of k8s.io.</p>
      <div className={styles.buttons}>
        {profiles.map((profile) => (
          <Button key={profile} icon={Download} onClick={() => saveAs(profile)}>
            {profile}
          </Button>
        ))}
      </div>
    </section>
  );
}

function WholeHistory() {
  const host = theHost();
  const saveIt = (): Promise<boolean> =>
    orToast('The history was not saved.', async () => {
      const made = madeHere();
      const lines = await host.export?.(theCluster().cluster.name, true);
      if (lines) save(printHistory(made, lines), `${made.name}.history.ndjson`);
    });
  if (!host.export) return null;
  return (
    <section className={styles.part} aria-label="Whole history">
      <h3 className={styles.title}>Whole history</h3>
      <p className={styles.note}>
        Every kept revision, to continue from or to look back at in another browser. It holds secrets and keys: whoever
        has the file is administrator of this cluster.
      </p>
      <div className={styles.buttons}>
        <Button icon={History} onClick={() => void saveIt()}>
          Save with its history
        </Button>
      </div>
    </section>
  );
}

function Embed({ link }: { readonly link: string }) {
  const [page = '', fragment = ''] = link.split('#', 2);
  const shown = `<iframe src="${page}?embed=glass,explore&read-only#${fragment.slice(0, 24)}…"\n  title="Vitrine" width="100%" height="600"></iframe>`;
  const whole = shown.replace(`${fragment.slice(0, 24)}…`, fragment);
  return (
    <section className={styles.part} aria-label="Embed">
      <h3 className={styles.title}>Embed in a page of your own</h3>
      <p className={styles.note}>“embed” names the panels to show. Without “read-only” readers can change things.</p>
      <div className={styles.snippet}>
        <Code language="plain" text={shown} />
        <CopyButton label="Copy the snippet" text={whole} />
      </div>
    </section>
  );
}
