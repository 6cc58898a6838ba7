import { Tabs } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useWatches } from '../../stores/watches.ts';
import { PagingTab } from './PagingTab.tsx';
import { StorageTab } from './StorageTab.tsx';
import { WatchesTab } from './WatchesTab.tsx';

const TABS = ['watches', 'paging', 'storage'] as const;

/** How change is told: watches, pages of a snapshot, and the history under both. */
export default function WatchPanel() {
  const asked = useAddress((address) => address.path[0]);
  const open = useWatches((state) => state.watches.length);
  return (
    <Tabs
      label="Watch"
      value={TABS.find((each) => each === asked) ?? 'watches'}
      onValue={(tab) => go({ path: [tab] })}
      tabs={[
        { value: 'watches', label: 'Watches', count: open || undefined, content: () => <WatchesTab /> },
        { value: 'paging', label: 'Paging', content: () => <PagingTab /> },
        { value: 'storage', label: 'Storage', content: () => <StorageTab /> },
      ]}
    />
  );
}
