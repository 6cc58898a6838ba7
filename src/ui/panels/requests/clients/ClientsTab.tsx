import { Cable, Download, Terminal } from 'lucide-preact';
import { useEffect, useMemo, useState } from 'preact/compat';
import {
  Button,
  CopyButton,
  DataTable,
  Empty,
  ErrorNote,
  Ident,
  save,
  Section,
  StateMark,
  Switch,
  toast,
  Waiting,
  type Column,
} from '../../../parts/index.ts';
import type { BridgeControl, BridgeState } from '../../../bridge.ts';
import { embedding } from '../../../shell/embedding.ts';
import { messageOf } from '../../../stores/actions.ts';
import { go } from '../../../stores/address.ts';
import { timeOfDay } from '../../../stores/clock.ts';
import { useRequests } from '../../../stores/requests.ts';
import { useCluster } from '../../../stores/session.ts';
import { readableUrl } from '../readableUrl.ts';
import { outsideClients, type OutsideClient } from './clients.ts';
import styles from './clients.module.css';

/** The bridge of the open cluster: `undefined` until it is known, `null` where there is none. */
function useBridge(): BridgeControl | null | undefined {
  const { cluster } = useCluster();
  const [bridge, setBridge] = useState<BridgeControl | null>();
  useEffect(() => {
    let gone = false;
    const find = async (): Promise<BridgeControl | null> => {
      const found = embedding ? undefined : await cluster.bridge?.();
      return found && (await found.find()) ? found : null;
    };
    find().then(
      (found) => gone || setBridge(found),
      () => gone || setBridge(null),
    );
    return () => void (gone = true);
  }, [cluster]);
  return bridge;
}

/** Lets `kubectl` and other programs on this machine reach the cluster, and shows which do. */
export default function ClientsTab() {
  const { past } = useCluster();
  const bridge = useBridge();
  if (past)
    return (
      <Empty icon={Cable} title="Clients cannot reach the past">
        Go back to the present to let programs reach this cluster.
      </Empty>
    );
  if (bridge === undefined) return <Waiting what="Looking for the bridge" />;
  return bridge ? <Bridge bridge={bridge} /> : <NoBridge />;
}

/** A page can’t listen at a port, and this one’s server does not do it for it. */
function NoBridge() {
  return (
    <Empty icon={Cable} title="This page’s server can’t let kubectl in">
      A page alone can’t be reached from outside of the browser. Run <Ident>npm start</Ident> in a copy of Vitrine and
      open the page that it serves on this machine: there, programs such as kubectl reach the cluster in this tab.
    </Empty>
  );
}

function Bridge({ bridge }: { readonly bridge: BridgeControl }) {
  const { cluster } = useCluster();
  const [state, setState] = useState<BridgeState>({ is: 'off' });
  useEffect(() => bridge.follow(setState), [bridge]);
  return (
    <div className={styles.tab}>
      <Section title="Programs on this machine">
        {cluster.served ? (
          <p className={styles.words}>This cluster runs in a server: programs reach it for as long as that does.</p>
        ) : (
          <div className={styles.allow}>
            <Switch
              label="Let programs on this machine reach this cluster"
              checked={state.is !== 'off'}
              onChecked={(on) => (on ? bridge.open() : bridge.close())}
            />
            <BridgeMark state={state} />
          </div>
        )}
        {state.is === 'off' && <Off why={state.why} />}
        {state.is === 'waiting' && (
          <p className={styles.words}>
            Is <Ident>{cluster.served ? 'npm run serve -- --page' : 'npm start'}</Ident> still running? Programs are let
            in again as soon as it is.
          </p>
        )}
        {state.is === 'open' && <Open bridge={bridge} url={state.url} />}
      </Section>
      <Connected isOpen={state.is === 'open'} />
    </div>
  );
}

function BridgeMark({ state }: { readonly state: BridgeState }) {
  if (state.is === 'open') return <StateMark state="completed" text="open" />;
  if (state.is === 'opening') return <StateMark state="pending" text="opening" />;
  return state.is === 'waiting' && <StateMark state="pending" text={state.why} />;
}

function Off({ why }: { readonly why: string | undefined }) {
  return (
    <>
      {why !== undefined && <ErrorNote title="Programs are no longer let in.">{why}.</ErrorNote>}
      <p className={styles.words}>
        kubectl and any other client can then use this tab as their cluster: at an address on this machine only, over
        TLS, with the rights of the credentials that they bring. It ends with this switch or with the tab.
      </p>
    </>
  );
}

/** The file that is downloaded, as a command line names it. */
const fileOf = (cluster: string): string => `${cluster}.kubeconfig`;

/** What a shell reads as one word. */
const quoted = (word: string): string => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

function Open({ bridge, url }: { readonly bridge: BridgeControl; readonly url: string }) {
  const { cluster } = useCluster();
  const file = fileOf(cluster.name);
  const example = `kubectl --kubeconfig ${quoted(file)} get pods -A -w`;
  const download = async (): Promise<void> => {
    save(new Blob([await bridge.kubeconfig()], { type: 'application/yaml' }), file);
  };
  /** Writes the file by the command line itself, so that one press is enough. */
  const command = async (): Promise<void> => {
    const text = await bridge.kubeconfig();
    await navigator.clipboard.writeText(
      `(umask 077; cat > ${quoted(file)} <<'EOF'\n${text}EOF\n)\nexport KUBECONFIG="$PWD"/${quoted(file)}\nkubectl get nodes\n`,
    );
    toast('completed', 'The command line is on the clipboard.', 'Paste it into a shell.');
  };
  return (
    <>
      <p className={styles.line}>
        The cluster answers at <Ident>{url}</Ident>
        <CopyButton text={url} label="Copy the address" />
      </p>
      <div className={styles.actions}>
        <Button look="primary" icon={Download} onClick={() => attempt(download())}>
          Download kubeconfig
        </Button>
        <Button icon={Terminal} onClick={() => attempt(command())}>
          Copy command line
        </Button>
      </div>
      <p className={styles.words}>
        Either makes you an administrator
        {!cluster.served && ', by a client certificate that this cluster’s authority signs'}. Then run:
      </p>
      <p className={styles.line}>
        <Ident>{example}</Ident>
        <CopyButton text={example} />
      </p>
    </>
  );
}

function attempt(work: Promise<void>): void {
  work.catch((error: unknown) => toast('failed', 'That did not work.', messageOf(error)));
}

const columns: readonly Column<OutsideClient>[] = [
  { key: 'program', title: 'Program', width: 22, order: ({ program }) => program, cell: ({ program }) => program },
  { key: 'user', title: 'User', width: 20, order: ({ user }) => user, cell: ({ user }) => user },
  {
    key: 'requests',
    title: 'Requests',
    width: 9,
    align: 'end',
    order: (row) => row.requests,
    cell: (row) => row.requests,
  },
  {
    key: 'refused',
    title: 'Refused',
    width: 8,
    align: 'end',
    order: (row) => row.refused,
    cell: (row) => row.refused || '',
  },
  {
    key: 'last',
    title: 'Last request',
    width: 40,
    order: ({ last }) => last.at,
    cell: ({ last }) => (
      <>
        <span className={styles.faint}>{timeOfDay(last.at)}</span> {last.verb} {readableUrl(last.url)}
      </>
    ),
  },
];

function Connected({ isOpen }: { readonly isOpen: boolean }) {
  const requests = useRequests((log) => log.requests);
  const clients = useMemo(() => outsideClients(requests), [requests]);
  if (!isOpen && clients.length === 0) return null;
  if (clients.length === 0)
    return (
      <Empty icon={Cable} title="No program has asked anything yet">
        Each program that does appears here; its requests are in the log like yours.
      </Empty>
    );
  return (
    <section className={styles.clients} aria-label="Programs that asked">
      <DataTable
        label="Programs that asked"
        columns={columns}
        rows={clients}
        rowKey={({ key }) => key}
        onOpen={({ last }) => go({ query: { sel: `request:${last.id}` } })}
      />
    </section>
  );
}
