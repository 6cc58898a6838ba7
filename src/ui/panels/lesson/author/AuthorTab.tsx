import { Download, Link, Play, Plus, Trash2 } from 'lucide-preact';
import { useState } from 'preact/compat';
import { lessonEngine } from '../../../../lessons/index.ts';
import { Button, ErrorNote, Field, IconButton, NumberField, save, TextArea, TextInput } from '../../../parts/index.ts';
import { Confirm } from '../../../parts/Confirm.tsx';
import { attempt, messageOf } from '../../../stores/actions.ts';
import { useAddress } from '../../../stores/address.ts';
import { useNamespaces } from '../../../stores/following.ts';
import { theCluster } from '../../../stores/session.ts';
import { printManifests } from '../../../share/collect.ts';
import { readShareable } from '../../../share/fromCluster.ts';
import { dropLesson, keepLesson, startLesson } from '../running.ts';
import { clearDraft, emptyTask, lessonOf, useDraft, type Draft } from './draft.ts';
import { TaskFields } from './TaskFields.tsx';
import styles from './author.module.css';

/** Makes a lesson from the cluster as it stands: its objects as the start, tasks with checks that are followed while one writes. */
export default function AuthorTab() {
  const draft = useDraft();
  const [problem, setProblem] = useState<{ readonly title: string; readonly text: string }>();
  const [clearing, setClearing] = useState(false);
  const finish = async (work: (draft: Draft) => Promise<void>, title: string): Promise<void> => {
    setProblem(undefined);
    await work(draft).catch((error: unknown) => setProblem({ title, text: messageOf(error) }));
  };
  return (
    <div className={styles.author}>
      <p className={styles.about}>
        Set up this cluster the way learners should find it. Then write the tasks. While you write, the checks run
        against this cluster.
      </p>
      <Words draft={draft} />
      <StartFields draft={draft} />
      <ol className={styles.tasks}>
        {draft.tasks.map((task, index) => (
          <TaskFields key={index} task={task} index={index} only={draft.tasks.length === 1} />
        ))}
      </ol>
      <Button icon={Plus} onClick={() => useDraft.setState({ tasks: [...draft.tasks, emptyTask] })}>
        Add a task
      </Button>
      {problem && <ErrorNote title={problem.title}>{problem.text}</ErrorNote>}
      <div className={styles.actions}>
        <Button look="primary" icon={Download} onClick={() => void finish(saveLesson, 'The lesson was not saved.')}>
          Save as a file
        </Button>
        <Button icon={Link} onClick={() => void finish(copyLink, 'The link was not copied.')}>
          Copy a link
        </Button>
        <Button icon={Play} onClick={() => void finish(tryLesson, 'The lesson was not started.')}>
          Try it in a new cluster
        </Button>
        <IconButton icon={Trash2} label="Clear the draft" onClick={() => setClearing(true)} />
      </div>
      {clearing && <ClearDialog onClose={() => setClearing(false)} />}
    </div>
  );
}

function ClearDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Confirm
      title="Clear the draft?"
      about="Everything that you wrote here is deleted. Lessons that you saved or tried stay as they are."
      action="Clear the draft"
      run={async () => clearDraft()}
      onClose={onClose}
    />
  );
}

async function saveLesson(draft: Draft): Promise<void> {
  const lesson = await lessonOf(draft, theCluster().names.profile);
  const { writeLessonFile } = await lessonEngine.load();
  save(new Blob([writeLessonFile(lesson)], { type: 'application/json' }), `${lesson.id}.lesson.json`);
}

async function copyLink(draft: Draft): Promise<void> {
  const lesson = await lessonOf(draft, theCluster().names.profile);
  const { copyLessonLink } = await import('../linked.ts');
  await copyLessonLink({ id: lesson.id, step: 0 }, lesson);
}

/** Starts the draft as it is now; what was tried of it before goes. */
async function tryLesson(draft: Draft): Promise<void> {
  const lesson = await keepLesson(await lessonOf(draft, theCluster().names.profile));
  useDraft.setState({ tried: lesson.id });
  await startLesson(lesson);
  if (draft.tried !== undefined && draft.tried !== lesson.id) await dropLesson(draft.tried);
}

function Words({ draft }: { readonly draft: Draft }) {
  return (
    <>
      <div className={styles.words}>
        <Field label="Title">
          {(ids) => <TextInput {...ids} value={draft.title} onText={(title) => useDraft.setState({ title })} />}
        </Field>
        <NumberField label="Minutes" value={draft.minutes} onText={(minutes) => useDraft.setState({ minutes })} />
        <NumberField label="Nodes" value={draft.nodes} onText={(nodes) => useDraft.setState({ nodes })} />
      </div>
      <Field label="What learners will learn">
        {(ids) => <TextInput {...ids} value={draft.learn} onText={(learn) => useDraft.setState({ learn })} />}
      </Field>
      <Field label="Why this matters">
        {(ids) => <TextArea {...ids} rows={3} value={draft.why} onText={(why) => useDraft.setState({ why })} />}
      </Field>
    </>
  );
}

/** What people made in some namespaces, and for the whole cluster, as manifests; secrets as they are. */
async function takeOver(namespaces: readonly string[]): Promise<{ readonly text: string; readonly count: number }> {
  const { names } = theCluster();
  const { objects } = await readShareable();
  const taken = objects.filter(({ kind, metadata: { name = '', namespace } }) =>
    kind === 'Namespace'
      ? name !== 'default' && namespaces.includes(name)
      : namespace === undefined || namespaces.includes(namespace),
  );
  return { text: printManifests(taken, names, names.profile, true), count: taken.length };
}

/** The objects at the start, taken over from this cluster's namespaces. */
function StartFields({ draft }: { readonly draft: Draft }) {
  const namespaces = useNamespaces().filter((name) => !/-(system|public|node-lease)$/.test(name));
  const [chosen, setChosen] = useState<readonly string[]>([useAddress().query['ns'] ?? 'default']);
  const [found, setFound] = useState<number>();
  const [busy, setBusy] = useState(false);
  const toggle = (name: string): void =>
    setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  const take = async (): Promise<void> => {
    setBusy(true);
    await attempt(undefined, 'The objects could not be read.', async () => {
      const { text, count } = await takeOver(chosen);
      setFound(count);
      useDraft.setState({ start: text });
    });
    setBusy(false);
  };
  return (
    <fieldset className={styles.start}>
      <legend>Objects at the start</legend>
      <div className={styles.spaces}>
        {namespaces.map((name) => (
          <label key={name} className={styles.space}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
        <Button busy={busy} onClick={() => void take()}>
          Copy the objects from these namespaces
        </Button>
        <span role="status" className={styles.about}>
          {found === 0 && 'No objects found.'}
          {found !== undefined && found > 0 && `Copied: ${found}.`}
        </span>
      </div>
      <Field label="Objects, as YAML" hint="Check them before you share the lesson. Secrets are copied unchanged.">
        {(ids) => <TextArea {...ids} rows={8} value={draft.start} onText={(start) => useDraft.setState({ start })} />}
      </Field>
    </fieldset>
  );
}
