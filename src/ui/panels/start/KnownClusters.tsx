import { Download, Ellipsis, RotateCcw, Trash2 } from 'lucide-preact';
import { useState } from 'preact/compat';
import { IconButton, Ident, Menu, MenuItem, MenuLine, orToast, save } from '../../parts/index.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import type { KnownCluster } from '../../host.ts';
import { beginningOf } from '../../scenarios/beginning.ts';
import { ResetDialog } from '../../scenarios/ResetDialog.tsx';
import { go } from '../../stores/address.ts';
import { dateAndTime } from '../../stores/clock.ts';
import { openCluster, removeCluster, theHost } from '../../stores/session.ts';
import styles from './KnownClusters.module.css';

const MEGABYTE = 1_048_576;

/** What tells a cluster from the others, in a line. */
function summaryOf({ options, lastOpened, bytes }: KnownCluster): string {
  const nodes = options.nodes ?? 0;
  return [
    `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`,
    options.naming ?? 'cluster.io',
    bytes === undefined ? '' : `${(bytes / MEGABYTE).toFixed(1)} MB`,
    lastOpened === undefined ? '' : `opened ${dateAndTime(lastOpened)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function open({ name, options }: KnownCluster): void {
  go({ cluster: name, panel: 'glass' });
  void openCluster(options);
}

/** Saves all that storage keeps, history included; the values of secrets stay here. */
const saveHistory = (name: string): Promise<boolean> =>
  orToast(`${name} was not saved.`, async () => {
    const blob = await theHost().export?.(name);
    if (blob) save(blob, `${name}.storage.jsonl`);
  });

interface Asked {
  readonly cluster: KnownCluster;
  readonly what: 'remove' | 'reset';
}

/** The clusters that can be opened: the one that the page's server runs, and those that this browser keeps. */
export default function KnownClusters({ known }: { readonly known: readonly KnownCluster[] }) {
  const kept = known.filter(({ served }) => !served);
  return (
    <>
      {known
        .filter(({ served }) => served)
        .map((each) => (
          <ServedCluster key={each.name} cluster={each} />
        ))}
      {kept.length > 0 && <KeptClusters kept={kept} />}
    </>
  );
}

function ServedCluster({ cluster }: { readonly cluster: KnownCluster }) {
  return (
    <section aria-label="Served here">
      <h2 className={styles.title}>Served here</h2>
      <div className={styles.row}>
        <button type="button" className={styles.open} onClick={() => open(cluster)}>
          <span className={styles.name}>{cluster.name}</span>
          <span className={styles.summary}>
            runs in the server that this page came from, and needs the key in its link
          </span>
        </button>
      </div>
    </section>
  );
}

/** Those that this browser keeps. */
function KeptClusters({ kept }: { readonly kept: readonly KnownCluster[] }) {
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  return (
    <section aria-label="Kept in this browser">
      <h2 className={styles.title}>Kept in this browser</h2>
      <ul>
        {kept.map((each) => (
          <li key={each.name} className={styles.row}>
            <button type="button" className={styles.open} onClick={() => open(each)}>
              <span className={styles.name}>{each.name}</span>
              <span className={styles.summary}>{summaryOf(each)}</span>
            </button>
            <RowMenu cluster={each} onAsk={(what) => setAsked({ cluster: each, what })} />
          </li>
        ))}
      </ul>
      {asked?.what === 'remove' && <RemoveDialog cluster={asked.cluster} onClose={close} />}
      {asked?.what === 'reset' && <ResetDialog options={asked.cluster.options} onClose={close} />}
    </section>
  );
}

interface RowMenuProps {
  readonly cluster: KnownCluster;
  readonly onAsk: (what: Asked['what']) => void;
}

function RowMenu({ cluster: { name }, onAsk }: RowMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton icon={Ellipsis} label={`More about ${name}`} />}>
      <MenuItem
        icon={RotateCcw}
        label="Reset"
        note={`It begins again ${beginningOf(name)}.`}
        onSelect={() => onAsk('reset')}
      />
      {theHost().export && (
        <MenuItem
          icon={Download}
          label="Save its storage as a file"
          note="Every revision, without the values of secrets."
          onSelect={() => void saveHistory(name)}
        />
      )}
      <MenuLine />
      <MenuItem icon={Trash2} danger label="Remove" onSelect={() => onAsk('remove')} />
    </Menu>
  );
}

interface RemoveProps {
  readonly cluster: KnownCluster;
  readonly onClose: () => void;
}

function RemoveDialog({ cluster: { name }, onClose }: RemoveProps) {
  return (
    <Confirm
      title="Remove this cluster?"
      about={
        <>
          Everything in <Ident>{name}</Ident> is deleted from this browser. There is no way back.
        </>
      }
      action={`Remove ${name}`}
      run={() => removeCluster(name)}
      onClose={onClose}
    />
  );
}
