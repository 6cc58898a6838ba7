import {
  ArrowRight,
  Check as Done,
  ChevronDown,
  ChevronRight,
  CircleDashed,
  Eye,
  Lightbulb,
  SquareTerminal,
} from 'lucide-preact';
import { Fragment, useEffect, useId, useRef, useState } from 'preact/compat';
import type { Check, RunState, Task, Verdict } from '../../../lessons/index.ts';
import { Button, CopyButton, cx, IconButton, KeyHint, useHotkey } from '../../parts/index.ts';
import aloud from '../../parts/Aloud.module.css';
import { go } from '../../stores/address.ts';
import { findPanel } from '../index.ts';
import { openTerminal } from '../terminal/opened.ts';
import { useKept } from './kept.ts';
import { piecesOf } from './pieces.ts';
import { Inline, Prose } from './Prose.tsx';
import { showSolution, stepTo } from './running.ts';
import { linesOf, putNextCommand } from './talk.ts';
import styles from './lesson.module.css';

interface TaskItemProps {
  readonly task: Task;
  readonly index: number;
  readonly state: RunState;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Called when the task's link is followed. */
  readonly onFollow?: (() => void) | undefined;
}

/** A task: its title, and when it is unfolded what to do, whether it is done, and help. */
export function TaskItem({ task, index, state, open, onToggle, onFollow }: TaskItemProps) {
  const done = state.tasks[index]?.done ?? false;
  const Fold = open ? ChevronDown : ChevronRight;
  const teaching = useKept((kept) => kept.teaching);
  const item = useRef<HTMLLIElement>(null);
  const id = useId();
  // The text of the task comes into sight with it. The first stays below the introduction, except for a talk.
  const brought = open && (index > 0 || teaching);
  useEffect(() => {
    if (!brought) return undefined;
    const bring = (): void => item.current?.scrollIntoView({ block: 'start' });
    bring();
    if (!teaching) return undefined;
    window.addEventListener('resize', bring);
    return () => window.removeEventListener('resize', bring);
  }, [brought, teaching]);
  return (
    <li
      ref={item}
      className={cx(styles.task, open && styles.taskOpen)}
      aria-current={index === state.current ? 'step' : undefined}
    >
      <button
        type="button"
        className={styles.taskTitle}
        aria-expanded={open}
        aria-describedby={open ? id : undefined}
        data-place={index === state.current ? '' : undefined}
        onClick={onToggle}
      >
        <span className={aloud.aloud}>
          Task {index + 1}
          {done && ', done'}:{' '}
        </span>
        <span aria-hidden className={cx(styles.number, done && styles.numberDone)}>
          {done ? <Done className={styles.icon} /> : index + 1}
        </span>
        <span className={styles.taskName}>{task.title}</span>
        <Fold aria-hidden className={styles.icon} />
      </button>
      {open && <TaskBody id={id} task={task} index={index} state={state} onFollow={onFollow} />}
    </li>
  );
}

interface TaskBodyProps extends Pick<TaskItemProps, 'task' | 'index' | 'state' | 'onFollow'> {
  /** The id of the text, which describes the task. */
  readonly id: string;
}

function TaskBody({ id, task, index, state, onFollow }: TaskBodyProps) {
  const teaching = useKept((kept) => kept.teaching);
  const done = state.tasks[index]?.done ?? false;
  const lines = linesOf(task, teaching);
  const follow = (): void => {
    if (task.where) go(stepTo(task.where));
    onFollow?.();
  };
  return (
    <div className={styles.taskBody}>
      <Prose id={id} text={task.text} />
      {teaching && lines.length > 0 && (
        <Button
          look="primary"
          icon={SquareTerminal}
          aria-keyshortcuts="n F8"
          onClick={() => putNextCommand(task, index + 1)}
          className={styles.where}
        >
          Next command
          <span aria-hidden>
            <KeyHint keys="n" /> <KeyHint keys="F8" />
          </span>
        </Button>
      )}
      {teaching && task.note !== undefined && (
        <p className={styles.note}>
          <strong>Note: </strong>
          <Inline text={task.note} />
        </p>
      )}
      {task.where && (
        <Button icon={ArrowRight} onClick={follow} className={styles.where}>
          Go to {findPanel(task.where.panel).title}
        </Button>
      )}
      <Commands lines={lines} />
      <Checks checks={task.checks} verdicts={state.tasks[index]?.verdicts ?? []} done={done} />
      {!done && <Help task={task} index={index} busy={state.showing === index} />}
    </div>
  );
}

function Commands({ lines }: { readonly lines: readonly string[] }) {
  // A task may show a line twice.
  return lines.map((line, index) => (
    <div key={index} className={styles.command}>
      <code className={styles.commandText}>
        <Words text={line} />
      </code>
      <span className={styles.commandTools}>
        <CopyButton text={line} label={`Copy ${nameOf(line, index, lines.length)}`} />
        <IconButton
          icon={SquareTerminal}
          label={`Put into the terminal, ${nameOf(line, index, lines.length)}`}
          onClick={() => openTerminal(line, lines.length > 1 ? `Command ${index + 1}` : undefined)}
        />
      </span>
    </div>
  ));
}

const LONGEST_NAME = 60;

/** A command in the names of its buttons: its number, where there are several, and its beginning. */
function nameOf(line: string, index: number, count: number): string {
  const [first = ''] = line.split('\n');
  const short = first === line && line.length <= LONGEST_NAME ? line : `${first.slice(0, LONGEST_NAME)}…`;
  return `command${count > 1 ? ` ${index + 1}` : ''}: ${short}`;
}

/** The words of a command; its lines are broken between them, not at the hyphens of a flag. */
function Words({ text }: { readonly text: string }) {
  return text
    .split(/([ \n])/)
    .map((word, index) => <Fragment key={index}>{index % 2 === 0 ? <Word word={word} /> : word}</Fragment>);
}

/** A long word is broken where it may be, but not behind the dashes of a flag. */
function Word({ word }: { readonly word: string }) {
  const [dashes = ''] = /^-*\w?/.exec(word) ?? [];
  return (
    <span className={styles.word}>
      <span className={styles.dashes}>{dashes}</span>
      <Pieces pieces={piecesOf(word.slice(dashes.length))} />
    </span>
  );
}

/** A text whose line may be broken between its pieces. */
function Pieces({ pieces }: { readonly pieces: readonly string[] }) {
  return pieces.map((piece, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}

/** Between the fields of a path. */
const AFTER_FIELD = /(?<=[.\]])(?=\w)/;

interface ChecksProps {
  readonly checks: readonly Check[];
  readonly verdicts: readonly Verdict[];
  readonly done: boolean;
}

/** What is wanted, and what is seen of it now. */
function Checks({ checks, verdicts, done }: ChecksProps) {
  return (
    <ul className={styles.checks} aria-label="What is checked">
      {checks.map((check, index) => (
        <CheckItem key={index} check={check} verdict={verdicts[index]} done={done} />
      ))}
    </ul>
  );
}

function CheckItem({
  check,
  verdict,
  done,
}: {
  readonly check: Check;
  readonly verdict: Verdict | undefined;
  readonly done: boolean;
}) {
  const holds = done || verdict?.holds === true;
  const Icon = holds ? Done : CircleDashed;
  return (
    <li className={cx(styles.check, holds && styles.checkHolds)}>
      <Icon aria-label={holds ? 'Done' : 'Not yet'} className={styles.icon} />
      <div>
        <p>
          <Inline text={check.says} />
        </p>
        {!holds && verdict && (
          <p className={styles.seen}>
            Now: <Pieces pieces={verdict.seen.split(AFTER_FIELD)} />.
          </p>
        )}
      </div>
    </li>
  );
}

/** Hints one by one, and at last the solution. */
function Help({ task, index, busy }: { readonly task: Task; readonly index: number; readonly busy: boolean }) {
  const [hints, setHints] = useState(0);
  const more = hints < task.hints.length;
  const show = (): void => void showSolution(index);
  useHotkey('t h', () => setHints((shown) => Math.min(shown + 1, task.hints.length)), 'Next hint of the lesson');
  useHotkey('t s', show, 'Show the solution of the task');
  return (
    <div>
      {/* Stands there before there is a hint: a screen reader tells only what changes in it. */}
      <div className={styles.told} aria-live="polite">
        {hints > 0 && (
          <ol className={styles.hints} aria-label="Hints">
            {task.hints.slice(0, hints).map((hint) => (
              <li key={hint}>
                <Inline text={hint} />
              </li>
            ))}
          </ol>
        )}
      </div>
      <div className={styles.help}>
        {more && (
          <Button look="quiet" icon={Lightbulb} onClick={() => setHints(hints + 1)}>
            {hints === 0 ? 'Hint' : 'Next hint'}
          </Button>
        )}
        <Button
          look="quiet"
          icon={Eye}
          busy={busy}
          aria-description="Solves the task for you"
          aria-keyshortcuts="t s"
          onClick={show}
        >
          Show me
          <span aria-hidden className={styles.keys}>
            <KeyHint keys="t then s" />
          </span>
        </Button>
      </div>
    </div>
  );
}
