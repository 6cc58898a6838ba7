import { ArrowLeft, Download, KeyRound, RotateCcw, SlidersHorizontal, Wrench } from 'lucide-react';
import { useState } from 'react';
import { Button, ErrorNote, later, StateMark } from '../../parts/index.ts';
import type { BootStep } from '../../host.ts';
import { go } from '../../stores/address.ts';
import { closeCluster, openCluster, theHost, type Session } from '../../stores/session.ts';
import styles from './BootProgress.module.css';

const words: Readonly<Record<BootStep['step'], string>> = {
  worker: 'Starting the worker',
  storage: 'Reading storage',
  controlPlane: 'Starting the control plane',
  nodes: 'Starting nodes',
  ready: 'Ready',
};

// Most starts succeed, and nobody needs the editor then.
const SettingsEditor = later(() => import('../settings/SettingsEditor.tsx'));

type Under = Extract<Session, { readonly phase: 'opening' | 'failed' }>;

/** A cluster on its way: what has been done, what is being done; or why it could not be opened. */
export function BootProgress({ session }: { readonly session: Under }) {
  return (
    <section className={styles.progress} aria-label={`Opening ${session.options.name}`}>
      <h2 className={styles.title}>{session.options.name}</h2>
      {session.phase === 'opening' ? <Steps steps={session.steps} /> : <Failure session={session} />}
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

const titles: Readonly<Record<Extract<Session, { readonly phase: 'failed' }>['kind'], string>> = {
  damaged: 'The cluster’s storage is damaged.',
  flags: 'A component did not accept its flags.',
  quota: 'The browser has no room left for this cluster.',
  origin: 'This address can’t run a cluster.',
  other: 'The cluster could not be opened.',
};

const cures: Readonly<Record<keyof typeof titles, string>> = {
  damaged:
    'Export saves everything that can still be read. Repair drops the damaged tail; every write before it stays.',
  flags: 'Edit the settings: what is wrong is marked there. What the cluster stores was not touched.',
  quota: 'Remove a cluster that you no longer need, or free disk space, then try again.',
  origin: 'Open the page over https, or from localhost.',
  other: 'Try again. If it happens again, the message below says where it stopped.',
};

async function leave(): Promise<void> {
  go({ cluster: '', panel: '', path: [] });
  await closeCluster();
}

function Failure({ session }: { readonly session: Extract<Session, { readonly phase: 'failed' }> }) {
  const { kind, message, options } = session;
  const [tab, setTab] = useState<string>();
  if (tab !== undefined)
    return (
      <div className={styles.settings}>
        <SettingsEditor
          made={options}
          stopped
          tab={tab}
          onTab={setTab}
          onStart={(edited) => void openCluster(edited)}
        />
      </div>
    );
  return (
    <ErrorNote
      title={titles[kind]}
      actions={
        <>
          <Button icon={RotateCcw} onClick={() => void openCluster(options)}>
            Try again
          </Button>
          {kind === 'flags' && (
            <Button icon={SlidersHorizontal} onClick={() => setTab('cluster')}>
              Edit the settings
            </Button>
          )}
          {kind === 'damaged' && <Rescue name={options.name} onMended={() => void openCluster(options)} />}
          <Button icon={ArrowLeft} onClick={() => void leave()}>
            Back
          </Button>
        </>
      }
    >
      <p>{cures[kind]}</p>
      <p className={styles.message}>{message}</p>
    </ErrorNote>
  );
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** What can be done for a damaged cluster, as far as the host can do it. */
function Rescue({ name, onMended }: { readonly name: string; readonly onMended: () => void }) {
  const host = theHost();
  const [problem, setProblem] = useState<string>();
  const attempt = (work: Promise<void>): void => void work.catch((error: unknown) => setProblem(String(error)));
  const exportIt = async (secrets: boolean): Promise<void> => {
    if (host.export) save(await host.export(name, secrets), `${name}.json`);
  };
  const repair = async (): Promise<void> => {
    await host.repair?.(name);
    onMended();
  };
  return (
    <>
      {host.export && (
        <>
          <Button icon={Download} onClick={() => attempt(exportIt(false))}>
            Export
          </Button>
          <Button icon={KeyRound} onClick={() => attempt(exportIt(true))}>
            Export with secrets and keys
          </Button>
        </>
      )}
      {host.repair && (
        <Button icon={Wrench} onClick={() => attempt(repair())}>
          Repair
        </Button>
      )}
      {problem && <p className={styles.message}>{problem}</p>}
    </>
  );
}
