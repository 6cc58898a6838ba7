import { ResetDialog } from '../scenarios/ResetDialog.tsx';
import { theCluster } from '../stores/session.ts';
import { hideOverlay } from './overlay.ts';

/** Lets the open cluster begin again. */
export default function ResetOpen() {
  return <ResetDialog options={theCluster().cluster.options} onClose={hideOverlay} />;
}
