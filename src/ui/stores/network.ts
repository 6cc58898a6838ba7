/** Everything that decides where packets go, kept live for as long as somebody looks at the network. */
import { useEffect, useState } from 'preact/compat';
import { Informer, type Client } from '../../client/index.ts';
import { networkResources, networkSettings, NetworkView, viewHandler } from '../../network/index.ts';
import { useAdministrator } from './clients.ts';
import { pageClock } from './liveObjects.ts';
import { theCluster } from './session.ts';

export interface LiveNetwork {
  readonly view: NetworkView;
  /** Raised whenever the view has changed. */
  readonly version: number;
  /** Whether every list has arrived. */
  readonly ready: boolean;
}

/** Milliseconds, and one more for each pod: a large picture is drawn less often. */
const GATHER_MS = 80;

const RANGE_FLAG = '--service-cluster-ip-range=';

function newView(): NetworkView {
  const { names, cluster } = theCluster();
  const range = cluster.options.apiserver?.find((flag) => flag.startsWith(RANGE_FLAG))?.slice(RANGE_FLAG.length);
  return new NetworkView(networkSettings(names, range));
}

/** Feeds a view from informers; `changed` is called when what arrived together has been taken in. */
function feed(client: Client, view: NetworkView, changed: (ready: boolean) => void): () => void {
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let waiting: number = networkResources.length;
  const soon = (): void =>
    void (gathering ??= setTimeout(
      () => {
        gathering = undefined;
        changed(waiting === 0);
      },
      GATHER_MS + view.count('pods'),
    ));
  const informers = networkResources.map((resource) => {
    const informer = new Informer({ resource: client.of(resource), clock: pageClock });
    informer.on(viewHandler(view, resource.resource, soon));
    informer.start();
    void informer.synced.then(() => {
      waiting -= 1;
      soon();
    });
    return informer;
  });
  return () => {
    clearTimeout(gathering);
    for (const informer of informers) informer.stop();
  };
}

/** The network as the administrator sees it. */
export function useNetwork(): LiveNetwork {
  const client = useAdministrator();
  const [network, setNetwork] = useState<LiveNetwork>(() => ({ view: newView(), version: 0, ready: false }));
  useEffect(() => {
    const view = newView();
    setNetwork({ view, version: 0, ready: false });
    return feed(client, view, (ready) => setNetwork(({ version }) => ({ view, version: version + 1, ready })));
  }, [client]);
  return network;
}
