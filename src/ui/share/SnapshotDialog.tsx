import { useState } from 'react';
import { Button, Dialog, Field, orToast, TextInput, toast } from '../parts/index.ts';
import { hideOverlay } from '../shell/overlay.ts';
import { useRevision } from '../stores/following.ts';
import { loadKnown, theCluster, useSession } from '../stores/session.ts';

const NAME = /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/;

/** Keeps the cluster as it is now, under a name of its own. */
export default function SnapshotDialog() {
  const { cluster } = theCluster();
  const revision = useRevision();
  const known = useSession((state) => state.known) ?? [];
  const [name, setName] = useState(`${cluster.name}-at-${revision}`);
  const [busy, setBusy] = useState(false);
  const taken = known.some((each) => each.name === name);
  const bad = taken
    ? 'There is a cluster of this name already.'
    : NAME.test(name)
      ? undefined
      : 'Small letters, digits, "-" and "."';
  const keep = async (): Promise<void> => {
    setBusy(true);
    const kept = await orToast('The snapshot was not made.', async () => {
      await cluster.past?.fork(revision, name);
      await loadKnown();
      toast('allowed', `${name} was kept.`, 'It stands among your clusters; open it to go on from there.');
    });
    if (kept) hideOverlay();
    else setBusy(false);
  };
  return (
    <Dialog
      open
      onClose={hideOverlay}
      title="Keep a snapshot"
      first="input"
      about={`Everything as it is at revision ${revision}, as a cluster of its own in this browser. ${cluster.name} goes on as it is.`}
      actions={
        <>
          <Button onClick={hideOverlay}>Cancel</Button>
          <Button look="primary" busy={busy} unavailable={bad} onClick={() => void keep()}>
            Keep it
          </Button>
        </>
      }
    >
      <Field label="Name" error={bad}>
        {(ids) => <TextInput {...ids} value={name} onText={setName} />}
      </Field>
    </Dialog>
  );
}
