import { useEffect } from 'react';
import { StartPage } from './panels/start/StartPage.tsx';
import { later } from './parts/later.tsx';
import { Toasts } from './parts/Toast.tsx';
import { Tooltips } from './parts/Tooltip.tsx';
import { useAddress } from './stores/address.ts';
import { openCluster, theHost, useSession } from './stores/session.ts';

/** Opens the cluster that the address names, when it is one that this browser keeps: a reload, a link, a bookmark. */
function useAddressedCluster(): void {
  const name = useAddress((address) => address.cluster);
  const phase = useSession((state) => state.session.phase);
  useEffect(() => {
    if (name === '' || phase !== 'closed') return;
    void theHost()
      .clusters()
      .then((known) => {
        const found = known.find((each) => each.name === name);
        if (found && useSession.getState().session.phase === 'closed') void openCluster(found.options);
      });
  }, [name, phase]);
}

const Shell = later(() => import('./shell/Shell.tsx'));

export function App() {
  useAddressedCluster();
  const session = useSession((state) => state.session);
  useEffect(() => {
    // It comes while the cluster starts, so that both are there together.
    if (session.phase === 'opening') Shell.fetch();
  }, [session.phase]);
  return (
    <>
      {session.phase === 'open' ? <Shell key={session.cluster.name} /> : <StartPage />}
      <Toasts />
      <Tooltips />
    </>
  );
}
