import { Tabs } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { RefusalsTab } from './RefusalsTab.tsx';
import { WhatCanTab } from './WhatCanTab.tsx';
import { WhoCanTab } from './WhoCanTab.tsx';

const TABS = ['who-can', 'what-can', 'refusals'] as const;

/** Who may do what, by which rule, and why something was refused. */
export default function AccessPanel() {
  const asked = useAddress((address) => address.path[0]);
  return (
    <Tabs
      label="Access"
      value={TABS.find((each) => each === asked) ?? 'who-can'}
      onValue={(tab) => go({ path: [tab] })}
      tabs={[
        { value: 'who-can', label: 'Who can', content: () => <WhoCanTab /> },
        { value: 'what-can', label: 'What can', content: () => <WhatCanTab /> },
        { value: 'refusals', label: 'Refusals', content: () => <RefusalsTab /> },
      ]}
    />
  );
}
