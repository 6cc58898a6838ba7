import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { Empty, StateMark, Tabs } from '../../parts/index.ts';
import { InspectorHead } from '../../shell/InspectorHead.tsx';
import { timeOfDay } from '../../stores/clock.ts';
import { useRequest, type LoggedRequest } from '../../stores/requests.ts';
import { stateOfStatus } from '../../theme/states.ts';
import { Headers } from './Headers.tsx';
import { readableUrl } from './RequestTable.tsx';
import { Way } from './Way.tsx';

/** One request: its way through the server, what was sent, what came back. */
export default function RequestInspector({ selection }: { readonly selection: string }) {
  const request = useRequest(selection);
  const [tab, setTab] = useState<'way' | 'headers'>('way');
  if (!request) {
    return (
      <Empty icon={Unplug} title="This request is no longer in the log">
        The log keeps the latest two thousand requests of this visit.
      </Empty>
    );
  }
  return (
    <>
      <InspectorHead kind={<Line request={request} />} name={readableUrl(request.url)} />
      <Tabs
        label="Views of the request"
        value={tab}
        onValue={setTab}
        tabs={[
          { value: 'way', label: 'Its way', content: () => <Way request={request} /> },
          { value: 'headers', label: 'Headers', content: () => <Headers request={request} /> },
        ]}
      />
    </>
  );
}

function Line({ request }: { readonly request: LoggedRequest }) {
  const { status, ms, method, at } = request;
  const state = status === undefined ? 'pending' : stateOfStatus(status);
  const text = status === undefined ? 'open' : `${status}`;
  return (
    <>
      {method} {state ? <StateMark state={state} text={text} /> : text} · {timeOfDay(at)}
      {ms !== undefined && ` · ${ms.toFixed(0)} ms`}
    </>
  );
}
