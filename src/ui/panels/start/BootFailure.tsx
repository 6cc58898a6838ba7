import { ArrowLeft, Download, KeyRound, Plus, RotateCcw, SlidersHorizontal, Wrench } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Button, ErrorNote, later, save, toast } from '../../parts/index.ts';
import type { BootOptions } from '../../host.ts';
import { go } from '../../stores/address.ts';
import { closeCluster, openCluster, removeCluster, theHost, type Session } from '../../stores/session.ts';
import styles from './BootProgress.module.css';

const SettingsEditor = later(() => import('../settings/SettingsEditor.tsx'));

type Failed = Extract<Session, { readonly phase: 'failed' }>;

const titles: Readonly<Record<Failed['kind'], string>> = {
  damaged: 'The cluster’s storage is damaged.',
  gone: 'The data of this cluster is gone.',
  flags: 'A component did not accept its flags.',
  quota: 'The browser has no room left for this cluster.',
  origin: 'This address can’t run a cluster.',
  away: 'This page does not get to the server that runs the cluster.',
  other: 'The cluster could not be opened.',
};

const cures: Readonly<Record<keyof typeof titles, string>> = {
  damaged:
    'Export saves everything that can still be read. Repair drops the damaged rows and keeps every other; it says which revisions are lost.',
  gone: 'Its database was deleted: by the browser, by clearing site data, or by a script of this page. Nothing of it can be read any more. An empty cluster can take its place, with the same settings; files that its flags name have to be given again.',
  flags: 'Edit the settings: what is wrong is marked there. What the cluster stores was not touched.',
  quota: 'Remove a cluster that you no longer need, or free disk space, then try again.',
  origin: 'Open the page over https, or from localhost.',
  away: 'The cluster itself is as it was.',
  other: 'Try again. If it happens again, the message below says where it stopped.',
};

async function leave(): Promise<void> {
  go({ cluster: '', panel: '', path: [] });
  await closeCluster();
}

/** Forgets what is gone, so that a new cluster of the name is not taken for it. */
async function startEmpty(options: BootOptions): Promise<void> {
  await removeCluster(options.name);
  await openCluster(options);
}

/** Why a cluster could not be opened, and what can be done. */
export default function BootFailure({ session }: { readonly session: Failed }) {
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
          {kind === 'gone' && (
            <Button icon={Plus} onClick={() => void startEmpty(options)}>
              Start an empty cluster
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
      {window.self !== window.top && (
        <p>Browsers may keep storage from a page within another site’s: open the link in a tab of its own.</p>
      )}
      <p className={styles.message}>{message}</p>
    </ErrorNote>
  );
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
    toast('allowed', 'The storage is repaired.', await host.repair?.(name));
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
