import { useState } from 'preact/compat';
import { toast } from '../parts/index.ts';
import { ClusterNameDialog } from '../shell/ClusterNameDialog.tsx';
import { hideOverlay } from '../shell/overlay.ts';
import { useRevision } from '../stores/following.ts';
import { forkRefusal, loadKnown, theCluster, useSession } from '../stores/session.ts';

const NAME = /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/;

/** Keeps the cluster as it is now, under a name of its own. */
export default function SnapshotDialog() {
  const { cluster } = theCluster();
  // As it is when the dialog opens: what it offers does not change while it is read.
  const [revision] = useState(useRevision());
  const known = useSession((state) => state.known) ?? [];
  const wrongWith = (name: string): string | undefined => {
    if (known.some((each) => each.name === name)) return 'There is a cluster of this name already.';
    return NAME.test(name) ? undefined : 'Small letters, digits, "-" and "."';
  };
  const keep = async (name: string): Promise<void> => {
    if (!cluster.past?.fork) throw new Error(forkRefusal(cluster));
    await cluster.past.fork(revision, name);
    await loadKnown();
    toast('allowed', `${name} was kept.`, 'You find it on the start page, among your clusters.');
  };
  return (
    <ClusterNameDialog
      title="Keep a snapshot"
      about={`Everything as it is at revision ${revision}, as a cluster of its own in this browser. ${cluster.name} goes on as it is.`}
      action="Keep it"
      suggested={`${cluster.name}-at-${revision}`}
      wrongWith={wrongWith}
      make={keep}
      failed="The snapshot was not made."
      onClose={hideOverlay}
    />
  );
}
