import { later, StateMark } from '../../parts/index.ts';
import type { BootStep } from '../../host.ts';
import type { Session } from '../../stores/session.ts';
import styles from './BootProgress.module.css';

/** Each step is a sentence, so that a screen reader pauses after it. */
const words: Readonly<Record<BootStep['step'], string>> = {
  worker: 'Starting.',
  storage: 'Reading what was saved.',
  controlPlane: 'Starting the control plane.',
  nodes: 'Starting nodes.',
  ready: 'Ready.',
};

// Most starts succeed, and nobody needs the rest then.
const BootFailure = later(() => import('./BootFailure.tsx'));

type Under = Extract<Session, { readonly phase: 'opening' | 'failed' }>;

/** A cluster on its way: what has been done, what is being done; or why it could not be opened. */
export function BootProgress({ session }: { readonly session: Under }) {
  const { name } = session.options;
  const title = `Opening ${name.startsWith('lesson-') ? 'the lesson' : name}`;
  return (
    <section className={styles.progress} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {session.phase === 'opening' ? <Steps steps={session.steps} /> : <BootFailure session={session} />}
    </section>
  );
}

function Steps({ steps }: { readonly steps: readonly BootStep[] }) {
  return (
    <ol className={styles.steps} aria-live="polite">
      {steps.map(({ step, detail }, index) => (
        <li key={index}>
          <StateMark state={index === steps.length - 1 && step !== 'ready' ? 'pending' : 'ready'} text={words[step]} />
          {detail && <span className={styles.detail}>{detail}</span>}
        </li>
      ))}
    </ol>
  );
}
