import { RotateCcw, SquareTerminal, X } from 'lucide-preact';
import { useRef } from 'preact/compat';
import { useStore } from '../../store.ts';
import { Button, Empty, IconButton, Select } from '../../parts/index.ts';
import { chooseShell, forgetShell, openShell, useShells, type OpenedShell } from './opened.ts';
import { startShell, type ShellSession } from './session.ts';
import { TouchKeys } from './TouchKeys.tsx';
import { useFrame } from './useFrame.ts';
import styles from './shells.module.css';

/** Shells run on while the dock shows something else. */
const sessions = new Map<number, ShellSession>();

/** The shells that were opened in containers, one at a time. */
export default function ShellDock() {
  const { shells, current } = useShells();
  const shell = shells.find(({ id }) => id === current);
  if (!shell)
    return (
      <Empty icon={SquareTerminal} title="No shell is open">
        Choose “Shell” in the menu of a running pod, and type commands into its container.
      </Empty>
    );
  return <Shell key={shell.id} shell={shell} shells={shells} />;
}

const titleOf = ({ target }: OpenedShell): string =>
  `${target.pod}${target.container === undefined ? '' : ` / ${target.container}`}`;

function Shell({ shell, shells }: { readonly shell: OpenedShell; readonly shells: readonly OpenedShell[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const session = sessionOf(shell);
  const state = useStore(session.store, (each) => each.state);
  useFrame(session.frame, frame);
  return (
    <section className={styles.shell} aria-label={`Shell in ${titleOf(shell)}`}>
      <div className={styles.bar}>
        <Select
          aria-label="Shell"
          className={styles.choice}
          value={String(shell.id)}
          options={shells.map((each) => ({ value: String(each.id), label: titleOf(each) }))}
          onValue={(id) => chooseShell(Number(id))}
        />
        {shell.containers.length > 1 && (
          <Select
            aria-label="Container"
            className={styles.choice}
            value={shell.target.container ?? ''}
            options={shell.containers.map((value) => ({ value, label: value }))}
            onValue={(container) => openShell({ ...shell.target, container }, shell.containers)}
          />
        )}
        <span className={styles.state} role="status">
          {WORDS[state]}
        </span>
        {state === 'ended' && (
          <Button icon={RotateCcw} onClick={() => session.connect()}>
            Start again
          </Button>
        )}
        <IconButton icon={X} label="End this shell" onClick={() => end(shell.id)} data-leave={shell.id} />
      </div>
      <div ref={frame} className={styles.frame} />
      <TouchKeys terminal={session.frame.terminal} />
    </section>
  );
}

const WORDS = {
  connecting: 'Starting…',
  open: 'F6 leaves the terminal',
  ended: 'Ended',
} as const;

function sessionOf({ id, target }: OpenedShell): ShellSession {
  const known = sessions.get(id);
  if (known) return known;
  const leave = (): void => document.querySelector<HTMLElement>(`[data-leave="${id}"]`)?.focus();
  const session = startShell(target, leave);
  sessions.set(id, session);
  return session;
}

function end(id: number): void {
  sessions.get(id)?.end();
  sessions.delete(id);
  forgetShell(id);
}
