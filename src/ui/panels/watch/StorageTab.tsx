import { Archive, Database, RefreshCw } from 'lucide-preact';
import { useCallback, useEffect, useState } from 'preact/compat';
import { Button, Empty, Facts, IconButton, Ident, NumberField, Section, toast } from '../../parts/index.ts';
import type { ServedBy } from '../../bridge.ts';
import type { StorageControl, StorageReport } from '../../host.ts';
import { messageOf } from '../../stores/actions.ts';
import { useRevision } from '../../stores/following.ts';
import { useCluster } from '../../stores/session.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { compactionView } from '../commands/views.ts';
import styles from './StorageTab.module.css';

/** What storage keeps: how far back, how much; and the means to forget. */
export function StorageTab() {
  const { cluster } = useCluster();
  if (!cluster.storage) {
    return (
      <Empty icon={Database} title="Storage can’t be looked into here">
        This host keeps no storage of its own.
      </Empty>
    );
  }
  return <StorageView storage={cluster.storage} served={cluster.served} />;
}

function useReport(storage: StorageControl) {
  const [report, setReport] = useState<StorageReport>();
  const revision = useRevision();
  const read = useCallback(() => void storage.report().then(setReport, () => undefined), [storage]);
  // Each write that the page hears of changes what storage would say.
  useEffect(read, [read, revision]);
  return { report, setReport, read };
}

interface StorageViewProps {
  readonly storage: StorageControl;
  readonly served: ServedBy | undefined;
}

function StorageView({ storage, served }: StorageViewProps) {
  const { report, setReport, read } = useReport(storage);
  if (!report) return null;
  const compact = async (upTo: number | undefined): Promise<void> => {
    try {
      setReport(await storage.compact(upTo));
      toast('completed', 'History was compacted.', 'Watches and pages of earlier revisions now get 410.');
    } catch (error) {
      toast('failed', 'History was not compacted.', messageOf(error));
    }
  };
  return (
    <div className={styles.view}>
      <Section title="History" level={2} end={<IconButton icon={RefreshCw} label="Read again" onClick={read} />}>
        <Span report={report} />
        <Facts
          facts={[
            ['Now at', <Ident key="r">{`revision ${report.revision}`}</Ident>],
            ['Kept since', <Ident key="c">{`revision ${report.compacted + 1}`}</Ident>],
            ['Keys', report.keys],
            ['Size', report.bytes === undefined ? undefined : sizeText(report.bytes)],
            ['Kept in', keptIn(report, served)],
          ]}
        />
      </Section>
      <Section title="Compact" level={2} end={<CommandsButton of={compactionView} />}>
        <p className={styles.about}>
          The server compacts old revisions, by default after five minutes. Compact now to see what clients have to do
          then: watches from older revisions fail with 410, and so do the next pages of a list.
        </p>
        <CompactForm report={report} onCompact={(upTo) => void compact(upTo)} />
      </Section>
    </div>
  );
}

function keptIn({ backend }: StorageReport, served: ServedBy | undefined): string {
  if (served?.keptIn === 'etcd') return 'etcd';
  if (served) return served.keptIn === 'files' ? 'files of the server' : 'the server’s memory: it goes with the server';
  return backend === 'memory' ? 'memory: it goes with the page' : 'this browser (IndexedDB)';
}

const KILO = 1024;

function sizeText(bytes: number): string {
  if (bytes < KILO) return `${bytes} bytes`;
  return bytes < KILO * KILO ? `${(bytes / KILO).toFixed(1)} KB` : `${(bytes / KILO / KILO).toFixed(1)} MB`;
}

/** All revisions as a line; the part that is still kept stands out. */
function Span({ report: { revision, compacted } }: { readonly report: StorageReport }) {
  const share = revision === 0 ? 0 : compacted / revision;
  return (
    <figure className={styles.span}>
      <div className={styles.line}>
        <div className={styles.kept} style={{ left: `${share * 100}%` }} />
      </div>
      <figcaption className={styles.ends}>
        <span>1</span>
        <span className={styles.mark} style={{ left: `${share * 100}%` }}>
          {compacted > 1 && share < 0.92 && compacted}
        </span>
        <span>{revision}</span>
      </figcaption>
    </figure>
  );
}

function CompactForm({
  report,
  onCompact,
}: {
  readonly report: StorageReport;
  readonly onCompact: (upTo: number | undefined) => void;
}) {
  const [text, setText] = useState('');
  const wanted = text === '' ? undefined : Number(text);
  const bad =
    wanted !== undefined && !(Number.isInteger(wanted) && wanted > report.compacted && wanted <= report.revision);
  return (
    <div className={styles.form}>
      <NumberField
        label="Up to revision"
        error={bad ? `A revision from ${report.compacted + 1} to ${report.revision}.` : undefined}
        placeholder={String(report.revision)}
        value={text}
        onText={setText}
      />
      <Button
        icon={Archive}
        unavailable={bad && 'There is no such revision to compact.'}
        onClick={() => onCompact(wanted)}
      >
        Compact
      </Button>
    </div>
  );
}
