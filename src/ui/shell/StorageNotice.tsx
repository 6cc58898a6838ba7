import { Download, Eraser, HardDriveUpload, List } from 'lucide-preact';
import type { StorageCondition } from '../host.ts';
import { Button, ErrorNote, save, toast } from '../parts/index.ts';
import { go } from '../stores/address.ts';
import { messageOf } from '../stores/actions.ts';
import { closeCluster, switchCluster, theHost, useCluster, type Open } from '../stores/session.ts';

type Cluster = Open['cluster'];

/** Says that what people make can no longer be stored, and what can be done. */
export default function StorageNotice({ condition }: { readonly condition: StorageCondition }) {
  const { cluster } = useCluster();
  if (condition.is === 'full') return <Full cluster={cluster} />;
  if (condition.is === 'lost') return <Lost cluster={cluster} why={condition.why} />;
  return null;
}

function Full({ cluster }: { readonly cluster: Cluster }) {
  return (
    <ErrorNote
      title="This browser has no room left for the cluster."
      actions={
        <>
          <Export name={cluster.name} />
          <Button icon={Eraser} onClick={() => attempt(cluster.storage?.compact())}>
            Forget history
          </Button>
          <Button icon={List} onClick={() => attempt(toClusters())}>
            Show all clusters
          </Button>
        </>
      }
    >
      Everything can be read and deleted; other writes are refused until there is room. Delete objects, forget past
      revisions, remove clusters that you no longer need, or free disk space.
    </ErrorNote>
  );
}

function Lost({ cluster, why }: { readonly cluster: Cluster; readonly why: string }) {
  const restore = async (): Promise<void> => {
    await cluster.storage?.restore?.();
    await switchCluster(cluster.options);
  };
  return (
    <ErrorNote
      title="What this cluster stores is gone."
      actions={
        <>
          {cluster.storage?.restore && (
            <Button icon={HardDriveUpload} onClick={() => attempt(restore())}>
              Write it back
            </Button>
          )}
          <Export name={cluster.name} />
        </>
      }
    >
      It can no longer be used: {why}. This tab still has everything in memory. Write it back or export it before you
      close or reload the page.
    </ErrorNote>
  );
}

function Export({ name }: { readonly name: string }) {
  const host = theHost();
  const exportIt = async (): Promise<void> => {
    if (host.export) save(await host.export(name), `${name}.json`);
  };
  return (
    host.export && (
      <Button icon={Download} onClick={() => attempt(exportIt())}>
        Export
      </Button>
    )
  );
}

async function toClusters(): Promise<void> {
  go({ cluster: '', panel: '', path: [] });
  await closeCluster();
}

/** What goes wrong with an action is said where it was asked for. */
function attempt(work: Promise<unknown> | undefined): void {
  work?.catch((error: unknown) => toast('failed', 'That did not work.', messageOf(error)));
}
