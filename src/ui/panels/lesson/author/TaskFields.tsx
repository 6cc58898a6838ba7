import { Check as Done, CircleDashed, Trash2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { lessonEngine, type Check, type Verdict } from '../../../../lessons/index.ts';
import { ErrorNote, Field, IconButton, TextArea, TextInput } from '../../../parts/index.ts';
import { messageOf } from '../../../stores/actions.ts';
import { useCluster } from '../../../stores/session.ts';
import { Inline } from '../Prose.tsx';
import { clusterOf } from '../running.ts';
import { readChecks, setTask, useDraft, type DraftTask } from './draft.ts';
import styles from './author.module.css';

interface TaskFieldsProps {
  readonly task: DraftTask;
  readonly index: number;
  readonly only: boolean;
}

export function TaskFields({ task, index, only }: TaskFieldsProps) {
  const remove = (): void => void useDraft.setState(({ tasks }) => ({ tasks: tasks.filter((_, at) => at !== index) }));
  return (
    <li className={styles.task}>
      <div className={styles.taskHead}>
        <h2>Task {index + 1}</h2>
        {!only && <IconButton icon={Trash2} label={`Remove task ${index + 1}`} onClick={remove} />}
      </div>
      <Field label="Title">
        {(ids) => <TextInput {...ids} value={task.title} onText={(title) => setTask(index, { title })} />}
      </Field>
      <Field label="What to do" hint="An empty line starts a new paragraph. Put code between backticks.">
        {(ids) => <TextArea {...ids} rows={4} value={task.text} onText={(text) => setTask(index, { text })} />}
      </Field>
      <Field label="Hints" hint="One per line. Each one reveals more.">
        {(ids) => <TextArea {...ids} rows={3} value={task.hints} onText={(hints) => setTask(index, { hints })} />}
      </Field>
      <Field
        label="Commands"
        hint="One per line. Learners can put each into the terminal. Leave it empty if they should find their own."
      >
        {(ids) => (
          <TextArea {...ids} rows={2} value={task.commands ?? ''} onText={(commands) => setTask(index, { commands })} />
        )}
      </Field>
      <Field label="Note for a talk" hint="Teaching mode shows it below the task.">
        {(ids) => <TextInput {...ids} value={task.note ?? ''} onText={(note) => setTask(index, { note })} />}
      </Field>
      <Field label="Checks, as YAML" hint="Each check has a field “look”: object, list, access, requests or network.">
        {(ids) => <TextArea {...ids} rows={7} value={task.checks} onText={(checks) => setTask(index, { checks })} />}
      </Field>
      <LiveChecks text={task.checks} />
      <Field label="Solution, as YAML" hint="Objects to apply when a learner asks for the solution.">
        {(ids) => (
          <TextArea {...ids} rows={4} value={task.solution} onText={(solution) => setTask(index, { solution })} />
        )}
      </Field>
    </li>
  );
}

interface Read {
  readonly checks: readonly Check[];
  readonly problem?: string;
}

/** What the checks come to in this cluster, as it stands. */
function LiveChecks({ text }: { readonly text: string }) {
  const open = useCluster();
  const [read, setRead] = useState<Read>({ checks: [] });
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>([]);
  useEffect(() => {
    let left = false;
    readChecks(text).then(
      (checks) => left || setRead({ checks }),
      (error: unknown) => left || setRead({ checks: [], problem: messageOf(error) }),
    );
    return () => void (left = true);
  }, [text]);
  useEffect(() => {
    let end: (() => void) | undefined;
    let left = false;
    void lessonEngine.load().then(({ tryChecks }) => {
      if (!left) end = tryChecks(read.checks, clusterOf(open), setVerdicts);
    });
    return () => {
      left = true;
      end?.();
    };
  }, [read, open]);
  if (read.problem !== undefined) return <ErrorNote title="The checks can’t be read.">{read.problem}</ErrorNote>;
  return (
    <ul className={styles.verdicts} aria-label="Current results of the checks">
      {read.checks.map((check, index) => {
        const verdict = verdicts[index];
        const Icon = verdict?.holds ? Done : CircleDashed;
        return (
          <li key={index} className={styles.verdict}>
            <Icon aria-label={verdict?.holds ? 'Done' : 'Not yet'} className={styles.icon} />
            <span>
              <Inline text={check.says} />{' '}
              <span className={styles.seen}>Now: {verdict?.seen ?? 'not checked yet'}.</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
