import { ShieldCheck } from 'lucide-preact';
import { Empty } from '../../parts/index.ts';
import { useRequests } from '../../stores/requests.ts';
import { RequestTable } from '../requests/RequestTable.tsx';

/** Everything that was refused lately; open one for its proof. */
export function RefusalsTab() {
  const refused = useRequests((log) => log.requests).filter(({ status }) => status === 401 || status === 403);
  if (refused.length === 0) {
    return (
      <Empty icon={ShieldCheck} title="Nothing was refused yet">
        A request that is refused, anybody’s, appears here. Open it to see module by module why, and what came nearest
        to allowing it.
      </Empty>
    );
  }
  return <RequestTable requests={refused} />;
}
