import { ArrowLeft, Unplug } from 'lucide-preact';
import type { ComponentType } from 'preact/compat';
import { Button, Empty, later, StateMark, Tabs, Toolbar } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useBreakpoints } from '../../stores/breakpoints.ts';
import { useRequest } from '../../stores/requests.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { requestsView } from '../commands/views.ts';
import { Console } from './Console.tsx';
import { RequestLine, RequestViews } from './RequestInspector.tsx';
import RequestLog from './RequestLog.tsx';
import { readableUrl } from './readableUrl.ts';
import styles from './RequestsPanel.module.css';

const Breakpoints = later(() => import('./breakpoints/BreakpointsTab.tsx'));
const Audit = later(() => import('../audit/AuditTab.tsx'));

const Clients = later(() => import('./clients/ClientsTab.tsx'));

const tabs = ['log', 'breakpoints', 'audit', 'clients'] as const;
type Tab = (typeof tabs)[number];

/** Send any request, look at all that were sent, hold some on their way, and read what the audit log says of them. */
export default function RequestsPanel() {
  const path = useAddress((address) => address.path);
  const held = useBreakpoints((state) => state.held.length);
  if (path[0] === 'request') return <WholeRequest id={path[1] ?? ''} />;
  return (
    <>
      <Toolbar title="Requests" note="Send any request as anyone; open one to see its way through the server.">
        {held > 0 && <StateMark state="pending" text={`${held} held`} />}
        <CommandsButton of={requestsView} />
      </Toolbar>
      <Tabs<Tab>
        label="Views of requests"
        value={tabs.find((tab) => tab === path[0]) ?? 'log'}
        onValue={(tab) => go({ path: tab === 'log' ? [] : [tab] })}
        tabs={[
          { value: 'log', label: 'Log', content: () => <Log /> },
          { value: 'breakpoints', label: 'Breakpoints', count: held || undefined, content: () => load(Breakpoints) },
          { value: 'audit', label: 'Audit', content: () => load(Audit) },
          { value: 'clients', label: 'Clients', content: () => load(Clients) },
        ]}
      />
    </>
  );
}

const load = (Component: ComponentType) => <Component />;

function Log() {
  return (
    <>
      <Console />
      <div className={styles.log}>
        <RequestLog />
      </div>
    </>
  );
}

/** One request over the whole stage. */
function WholeRequest({ id }: { readonly id: string }) {
  const request = useRequest(id);
  const back = (
    <Button icon={ArrowLeft} onClick={() => go({ path: [] })}>
      All requests
    </Button>
  );
  if (!request) {
    return (
      <Empty icon={Unplug} title="This request is no longer in the log" action={back}>
        The log keeps the latest two thousand requests of this visit.
      </Empty>
    );
  }
  return (
    <>
      <Toolbar
        title={<span className={styles.whole}>{readableUrl(request.url)}</span>}
        note={<RequestLine request={request} />}
      >
        {back}
      </Toolbar>
      <div className={styles.wide}>
        <RequestViews request={request} />
      </div>
    </>
  );
}
