import { X } from 'lucide-preact';
import { useLayoutEffect, useRef } from 'preact/compat';
import { create } from '../store.ts';
import type { State } from '../theme/states.ts';
import { IconButton } from './Button.tsx';
import { StateMark } from './StateMark.tsx';
import styles from './Toast.module.css';

interface Toast {
  readonly id: number;
  readonly state: State;
  readonly text: string;
  readonly detail?: string | undefined;
}

const STAYS = 6000;
const useToasts = create<{ readonly toasts: readonly Toast[] }>()(() => ({ toasts: [] }));
let lastId = 0;

const dismiss = (id: number): void =>
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));

/** Says what just happened. Failures stay until they are dismissed. */
export function toast(state: State, text: string, detail?: string): void {
  const id = ++lastId;
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-3), { id, state, text, detail }] }));
  if (state !== 'failed' && state !== 'denied') setTimeout(() => dismiss(id), STAYS);
}

/** Does some work; says so where it fails. Returns whether it succeeded. */
export async function orToast(failed: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast('failed', failed, error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Where toasts appear; stands once, at the end of the shell. */
export function Toasts() {
  const toasts = useToasts((state) => state.toasts);
  const box = useRef<HTMLDivElement>(null);
  const latest = toasts.at(-1)?.id;
  // Shown anew with each, so that it stands above a dialog that was opened since the one before.
  useLayoutEffect(() => {
    box.current?.hidePopover();
    if (latest !== undefined) box.current?.showPopover();
  }, [latest]);
  return (
    <div ref={box} popover="manual" role="status" aria-live="polite" className={styles.toasts}>
      {toasts.map(({ id, state, text, detail }) => (
        <div key={id} className={styles.toast}>
          <StateMark state={state} text="" />
          <div className={styles.words}>
            <p>{text}</p>
            {detail && <p className={styles.detail}>{detail}</p>}
          </div>
          <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
