import { useEffect } from 'preact/compat';
import { StartPage } from './panels/start/StartPage.tsx';
import { later } from './parts/later.tsx';
import { toast, Toasts } from './parts/Toast.tsx';
import { Tooltips } from './parts/Tooltip.tsx';
import { go, useAddress } from './stores/address.ts';
import { closeCluster, leavePast, openCluster, openPast, theHost, useSession } from './stores/session.ts';

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

/** Shows the cluster at the revision that the address names, and as it is where it names none. */
function useAddressedMoment(): void {
  const at = useAddress(({ query }) => query['at']);
  const session = useSession((state) => state.session);
  const shown = session.phase === 'open' ? session.past?.moment.revision : undefined;
  const isOpen = session.phase === 'open';
  useEffect(() => {
    if (!isOpen || (at === undefined ? undefined : Number(at)) === shown) return;
    if (at === undefined) return leavePast();
    openPast(Number(at)).catch((error: unknown) => {
      toast('failed', `Revision ${at} can't be shown.`, error instanceof Error ? error.message : String(error));
      go({ query: { at: undefined } }, true);
    });
  }, [isOpen, at, shown]);
}

const Lessons = later(() => import('./panels/lesson/LessonsPage.tsx'));
/** A link that carries a cluster is looked at on the start page. */
function useSharedLink(): void {
  const shared = useAddress((address) => address.shared);
  const phase = useSession((state) => state.session.phase);
  useEffect(() => {
    if (shared !== undefined && phase === 'open') void closeCluster();
  }, [shared, phase]);
}

const Shell = later(() => import('./shell/Shell.tsx'));

/** What the address and the session ask for: the lessons, an open cluster, or the way to one. */
function Page() {
  const session = useSession((state) => state.session);
  const asksForLessons = useAddress(({ cluster, panel }) => cluster === 'lessons' && panel === '');
  if (asksForLessons && (session.phase === 'open' || session.phase === 'closed')) return <Lessons />;
  if (session.phase === 'open') return <Shell key={`${session.cluster.name}@${session.past?.moment.revision ?? ''}`} />;
  return <StartPage />;
}

export function App() {
  useAddressedCluster();
  useAddressedMoment();
  useSharedLink();
  const session = useSession((state) => state.session);
  useEffect(() => {
    // It comes while the cluster starts, so that both are there together.
    if (session.phase === 'opening') Shell.fetch();
  }, [session.phase]);
  return (
    <>
      <Page />
      <Toasts />
      <Tooltips />
    </>
  );
}
