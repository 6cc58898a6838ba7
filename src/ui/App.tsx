import { useEffect } from 'react';
import { StartPage } from './panels/start/StartPage.tsx';
import { TooltipProvider } from './parts/Tooltip.tsx';
import { Shell } from './shell/Shell.tsx';
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

export function App() {
  useAddressedCluster();
  const session = useSession((state) => state.session);
  return (
    <TooltipProvider delayDuration={400} skipDelayDuration={200}>
      {session.phase === 'open' ? <Shell key={session.cluster.name} /> : <StartPage />}
    </TooltipProvider>
  );
}
