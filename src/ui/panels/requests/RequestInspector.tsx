import { Maximize2, Unplug } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Empty, IconButton, StateMark, Tabs } from '../../parts/index.ts';
import { Waiting } from '../../parts/Waiting.tsx';
import { InspectorHead } from '../../shell/InspectorHead.tsx';
import { go } from '../../stores/address.ts';
import { timeOfDay } from '../../stores/clock.ts';
import { useRequest, useWhole, type LoggedRequest } from '../../stores/requests.ts';
import { stateOfAnswer } from '../../theme/states.ts';
import { Bodies } from './Bodies.tsx';
import { Headers } from './Headers.tsx';
import { readableUrl } from './readableUrl.ts';
import { Way } from './Way.tsx';

/** One request: its way through the server, what was sent, what came back. */
export default function RequestInspector({ selection }: { readonly selection: string }) {
  const request = useRequest(selection);
  if (!request) {
    return (
      <Empty icon={Unplug} title="This request is no longer in the log">
        The log keeps the latest two thousand requests of this visit.
      </Empty>
    );
  }
  return (
    <>
      <InspectorHead
        kind={<RequestLine request={request} />}
        name={readableUrl(request.url)}
        actions={<IconButton icon={Maximize2} label="Show it in full width" onClick={() => showWhole(request.id)} />}
      />
      <RequestViews request={request} />
    </>
  );
}

const showWhole = (id: string): void =>
  go({ panel: 'requests', path: ['request', id], query: { sel: undefined, tab: undefined } });

type View = 'way' | 'bodies' | 'headers';

/** The views of one request. */
export function RequestViews({ request: logged }: { readonly request: LoggedRequest }) {
  const [view, setView] = useState<View>('way');
  const request = useWhole(logged);
  if (request === undefined) return <Waiting what="Reading the request" />;
  if (request === null)
    return (
      <Empty icon={Unplug} title="The details of this request are no longer kept">
        They were kept in the tab that ran the cluster then.
      </Empty>
    );
  return (
    <Tabs<View>
      label="Views of the request"
      value={view}
      onValue={setView}
      tabs={[
        { value: 'way', label: 'Request path', content: () => <Way request={request} /> },
        { value: 'bodies', label: 'Bodies', content: () => <Bodies request={request} /> },
        { value: 'headers', label: 'Headers', content: () => <Headers request={request} /> },
      ]}
    />
  );
}

/** Method, status, time and duration in a line. */
export function RequestLine({ request }: { readonly request: LoggedRequest }) {
  const { status, ms, method, at } = request;
  const state = status === undefined ? 'pending' : stateOfAnswer(method, status);
  const text = status === undefined ? 'open' : `${status}`;
  return (
    <>
      {method} {state ? <StateMark state={state} text={text} /> : text} · {timeOfDay(at)}
      {ms !== undefined && ` · ${ms.toFixed(0)} ms`}
    </>
  );
}
