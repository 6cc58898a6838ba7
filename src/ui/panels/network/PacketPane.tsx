import { useMemo } from 'preact/compat';
import { explainPacket, type HopText } from '../../../explain/index.ts';
import {
  tracePacket,
  type NetworkView,
  type PacketQuestion,
  type PacketTrace,
  type Source,
} from '../../../network/index.ts';
import { useAddress } from '../../stores/address.ts';
import type { LiveNetwork } from '../../stores/network.ts';
import type { NetworkDraft } from './draft.ts';
import { PacketForm } from './PacketForm.tsx';
import type { Picture } from './picture.ts';
import { RemedyOffer } from './RemedyOffer.tsx';
import { Steps } from './Steps.tsx';
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
      <PacketForm view={network.view} picture={picture} />
      {question ? (
        <Path question={question} network={network} draft={draft} />
      ) : (
        <p className={styles.about}>
          Choose a sender and a destination: a name, an address, or a cell of the picture. Pods have an address once
          they run.
        </p>
      )}
    </section>
  );
}

function useQuestion({ view, version }: LiveNetwork, { workloads, port }: Picture): PacketQuestion | undefined {
  const from = useAddress(({ query }) => query['from'] ?? '');
  const to = useAddress(({ query }) => query['to'] ?? '');
  const toPort = useAddress(({ query }) => query['toPort'] ?? '');
  const path = useAddress(({ query }) => query['url'] ?? '');
  return useMemo(() => {
    const source = sourceOf(from, workloads, view);
    const target = addressOf(to, workloads);
    if (!source || target === '') return undefined;
    return { from: source, to: target, ...parsePort(toPort || port), ...(path !== '' && { path }) };
    // The view is the same object after each change; its version says that it has changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [view, version, workloads, port, from, to, toPort, path]);
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

function Path({
  question,
  network,
  draft,
}: { readonly question: PacketQuestion } & Pick<PacketPaneProps, 'network' | 'draft'>) {
  const { view } = network;
  const trace = useMemo(() => tracePacket(question, view), [question, view]);
  const answer = useMemo(() => explainPacket(trace, view), [trace, view]);
  const withDraft = useMemo(() => draft && tracePacket(question, draft.view), [question, draft]);
  const hops = answer.evidence as readonly HopText[];
  return (
    <div className={styles.path} aria-live="polite">
      <p className={styles.sentence}>{answer.sentence}</p>
      <Steps steps={hops} />
      {draft && withDraft && withDraft.outcome !== trace.outcome && <WithDraft trace={withDraft} draft={draft} />}
      {answer.remedies.map((remedy) => (
        <RemedyOffer key={remedy.title} remedy={remedy} />
      ))}
    </div>
  );
}

/** What would come of the packet if the draft were applied, and by which line. */
function WithDraft({ trace, draft }: { readonly trace: PacketTrace; readonly draft: NetworkDraft }) {
  const { sentence, evidence } = useMemo(() => explainPacket(trace, draft.view), [trace, draft]);
  const policies = (evidence as readonly HopText[]).filter(({ at }) => at?.kind === 'NetworkPolicy');
  return (
    <div className={styles.path}>
      <p className={styles.sentence}>With the draft: {sentence}</p>
      <Steps steps={policies} plain />
    </div>
  );
}
