import { ArrowRight, FilePlus2 } from 'lucide-react';
import { useMemo } from 'react';
import { stringify } from 'yaml';
import { explainPacket, type Evidence, type HopText, type Remedy } from '../../../explain/index.ts';
import {
  tracePacket,
  type NetworkView,
  type PacketQuestion,
  type PacketTrace,
  type Source,
} from '../../../network/index.ts';
import { offer, openEditor } from '../../editor/drafts.ts';
import { Button, Select, TextInput } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import type { LiveNetwork } from '../../stores/network.ts';
import { FieldLink, KindLink } from '../object/ObjectLink.tsx';
import type { NetworkDraft } from './draft.ts';
import { withoutEmpty } from './flowActions.ts';
import { Note } from './Note.tsx';
import type { Picture } from './picture.ts';
import { parsePort, type Workload } from './workloads.ts';
import styles from './SidePane.module.css';

interface PacketPaneProps {
  readonly network: LiveNetwork;
  readonly draft: NetworkDraft | undefined;
  readonly picture: Picture;
}

/** An address from a range that is kept for documentation: somebody outside of the cluster. */
const OUTSIDE = '203.0.113.99';

/** Follows one packet from end to end, hop by hop. */
export function PacketPane({ network, draft, picture }: PacketPaneProps) {
  const question = useQuestion(network, picture);
  return (
    <section className={styles.section} aria-labelledby="network-packet">
      <h2 id="network-packet" className={styles.title}>
        Follow a packet
      </h2>
      <PacketForm network={network} picture={picture} />
      {question ? (
        <Path question={question} network={network} draft={draft} />
      ) : (
        <p className={styles.about}>
          Choose a sender, and whom it wants to reach: a name, an address, or a cell of the picture. Pods have an
          address once they run.
        </p>
      )}
    </section>
  );
}

function useQuestion({ view, version }: LiveNetwork, { workloads, port }: Picture): PacketQuestion | undefined {
  const from = useAddress(({ query }) => query['from'] ?? '');
  const to = useAddress(({ query }) => query['to'] ?? '');
  const toPort = useAddress(({ query }) => query['toPort'] ?? '');
  return useMemo(() => {
    const source = sourceOf(from, workloads, view);
    const target = addressOf(to, workloads);
    if (!source || target === '') return undefined;
    return { from: source, to: target, ...parsePort(toPort || port) };
    // The view is the same object after each change; its version says that it has changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [view, version, workloads, port, from, to, toPort]);
}

function sourceOf(from: string, workloads: readonly Workload[], view: NetworkView): Source | undefined {
  if (from === 'outside') return { outside: OUTSIDE };
  if (from.startsWith('node/')) {
    const node = view.get('nodes', from.slice('node/'.length));
    return node && { node };
  }
  const pod = workloads.find(({ key }) => key === from)?.pods[0];
  return pod && { pod };
}

/** A workload stands for the first of its pods that has an address; everything else is a name or an address. */
function addressOf(to: string, workloads: readonly Workload[]): string {
  const workload = workloads.find(({ key }) => key === to);
  if (!workload) return to;
  return workload.pods.find(({ status }) => status?.podIP !== undefined)?.status?.podIP ?? '';
}

function PacketForm({ network: { view }, picture }: Pick<PacketPaneProps, 'network' | 'picture'>) {
  const { from = '', to = '', at } = useAddress(({ query }) => query);
  const senders = [
    { value: '', label: 'Sender…' },
    ...picture.workloads.map(({ key, namespace, name }) => ({ value: key, label: `${namespace}/${name}` })),
    ...view
      .all('nodes')
      .map(({ metadata }) => ({ value: `node/${metadata?.name ?? ''}`, label: `node ${metadata?.name ?? ''}` })),
    { value: 'outside', label: 'outside of the cluster' },
  ];
  const names = view.all('services').map(({ metadata }) => `${metadata?.name ?? ''}.${metadata?.namespace ?? ''}`);
  const port = parsePort(at || picture.port);
  const setPort = (text: string): void => {
    if (/^\d{1,5}$/.test(text)) go({ query: { toPort: `${port.protocol}/${text}` } }, true);
  };
  return (
    <div className={styles.form}>
      <Select
        aria-label="Sender"
        value={from}
        options={senders}
        onValue={(value) => go({ query: { from: value } }, true)}
      />
      <ArrowRight className={styles.arrow} aria-hidden />
      <TextInput
        aria-label="Name or address"
        placeholder="name or address"
        list="network-names"
        code
        value={picture.workloads.find(({ key }) => key === to)?.name ?? to}
        onText={(text) => go({ query: { to: text.trim() } }, true)}
      />
      <datalist id="network-names">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextInput
        aria-label="Port"
        code
        className={styles.port}
        inputMode="numeric"
        value={String(port.port)}
        onText={setPort}
      />
    </div>
  );
}

function Path({
  question,
  network,
  draft,
}: { readonly question: PacketQuestion } & Pick<PacketPaneProps, 'network' | 'draft'>) {
  const { view } = network;
  const trace = useMemo(() => tracePacket(question, view), [question, view]);
  const answer = useMemo(() => explainPacket(trace, view), [trace, view]);
  const withDraft = useMemo(() => draft && tracePacket(question, draft.view).outcome, [question, draft]);
  const hops = answer.evidence as readonly HopText[];
  return (
    <div className={styles.path} aria-live="polite">
      <p className={styles.sentence}>{answer.sentence}</p>
      <ol className={styles.hops}>
        {hops.map((hop, i) => (
          <li key={i}>
            <Note look={hop.stopped ? 'stopped' : 'passed'}>
              {hop.text} <Where {...hop} />
              <Details details={hop.details} />
            </Note>
          </li>
        ))}
      </ol>
      {withDraft && withDraft !== trace.outcome && (
        <p className={styles.about}>With the draft: {outcomeText(withDraft)}.</p>
      )}
      {answer.remedies.map((remedy) => (
        <RemedyOffer key={remedy.title} remedy={remedy} />
      ))}
    </div>
  );
}

const outcomeText = (outcome: PacketTrace['outcome']): string => (outcome === 'delivered' ? 'it arrives' : outcome);

function Details({ details }: { readonly details: readonly Evidence[] }) {
  if (details.length === 0) return null;
  return (
    <ul className={styles.details}>
      {details.map((detail) => (
        <li key={detail.text}>
          {detail.text} <Where {...detail} />
        </li>
      ))}
    </ul>
  );
}

/** The object that a statement speaks of, as a link; with a field, to its line in the editor. */
function Where({ at }: Pick<Evidence, 'at'>) {
  if (!at) return null;
  if (at.field === undefined) return <KindLink {...at} full />;
  return (
    <FieldLink {...at} field={at.field}>
      {at.field}
    </FieldLink>
  );
}

function RemedyOffer({ remedy }: { readonly remedy: Remedy }) {
  const write = (): void => {
    offer(stringify(withoutEmpty(remedy.object)));
    openEditor({ kind: 'new' });
  };
  return (
    <div className={styles.remedy}>
      <Button icon={FilePlus2} onClick={write}>
        {remedy.title}
      </Button>
      <p className={styles.about}>
        Writes a policy into the editor.
        {remedy.alsoAllows === '' ? ' It allows nothing else.' : ` It also allows ${remedy.alsoAllows}.`}
      </p>
    </div>
  );
}
