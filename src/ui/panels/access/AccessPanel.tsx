import { later, Tabs } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { CompareTab } from './compare/CompareTab.tsx';
import { RefusalsTab } from './RefusalsTab.tsx';
import { TokensTab } from './tokens/TokensTab.tsx';
import { WhatCanTab } from './WhatCanTab.tsx';
import { WhoCanTab } from './WhoCanTab.tsx';

// The certificate library is large, and few tabs need it.
const CertificatesTab = later(() => import('./certificates/CertificatesTab.tsx'));

const TABS = ['who-can', 'what-can', 'compare', 'refusals', 'certificates', 'tokens'] as const;

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
        { value: 'compare', label: 'Compare', content: () => <CompareTab /> },
        { value: 'refusals', label: 'Refusals', content: () => <RefusalsTab /> },
        {
          value: 'certificates',
          label: 'Certificates',
          content: () => <CertificatesTab />,
        },
        { value: 'tokens', label: 'Tokens', content: () => <TokensTab /> },
      ]}
    />
  );
}
