import { Fragment, useState } from 'preact/compat';
import type { ApiObject } from '../../../schema/index.ts';
import { ErrorNote, later, StateMark, Tabs } from '../../parts/index.ts';
import { InspectorHead } from '../../shell/InspectorHead.tsx';
import { Waiting } from '../../parts/Waiting.tsx';
import { go, useAddress } from '../../stores/address.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { parseRef, useResources, type ObjectRef } from '../../stores/resources.ts';
import { logTargetOf } from '../logs/sources.ts';
import { ActionMenu } from './actions/ActionMenu.tsx';
import { badgesOf } from './actions/badge.ts';
import { BrokenOnPurpose } from './actions/BrokenOnPurpose.tsx';
import { EventsTab } from './EventsTab.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { LinksTab } from './LinksTab.tsx';
import { RequestsTab } from './RequestsTab.tsx';
import { SummaryTab } from './SummaryTab.tsx';
import { YamlTab } from './YamlTab.tsx';

/** One object, live: what it is, its YAML, its events, what belongs to it, the requests that wrote it. */
export default function ObjectInspector({ selection }: { readonly selection: string }) {
  const resources = useResources((state) => state.resources);
  const loaded = useResources((state) => state.loaded);
  const target = parseRef(resources, selection);
  if (!target)
    return loaded ? (
      <ErrorNote title="The server does not serve this kind of object.">{selection}</ErrorNote>
    ) : (
      <Waiting />
    );
  return <LiveObject target={target} />;
}

function LiveObject({ target }: { readonly target: ObjectRef }) {
  const { resource, namespace, name } = target;
  const live = useLiveObjects({
    resource,
    ...(namespace ? { namespace } : {}),
    fieldSelector: `metadata.name=${name}`,
  });
  const [last, setLast] = useState<ApiObject>();
  const present = live.objects[0];
  if (present && present !== last) setLast(present);
  const object = present ?? last;
  const gone = live.phase === 'live' && present === undefined;
  const where = namespace ? `${resource.kind} in ${namespace}` : resource.kind;
  const kind = (
    <>
      {where}
      {gone && object && <StateMark state="deleted" text=" deleted" />}
      {!gone &&
        badgesOf(resource.kind, object?.metadata.annotations).map((badge) => (
          <Fragment key={badge}>
            {' '}
            <StateMark state="failed" filled text={badge} />
          </Fragment>
        ))}
    </>
  );
  return (
    <>
      <InspectorHead
        kind={kind}
        name={name}
        actions={object && !gone && <ActionMenu target={target} object={object} />}
      />
      {live.phase === 'refused' && <ErrorNote title="You may not read this object.">{live.problem?.message}</ErrorNote>}
      {!object && live.phase === 'loading' && <Waiting />}
      {!object && gone && (
        <ErrorNote title="There is no such object.">
          It may have been deleted, or never existed under this name.
        </ErrorNote>
      )}
      {object && <ObjectTabs target={target} object={object} />}
    </>
  );
}

const FilesTab = later(() => import('../files/FilesTab.tsx'));
const LogView = later(() => import('../logs/LogView.tsx'));

const TABS = ['summary', 'logs', 'files', 'yaml', 'events', 'links', 'history', 'requests'] as const;
type TabName = (typeof TABS)[number];

function ObjectTabs({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  const asked = useAddress((address) => address.query['tab']);
  const logs = logTargetOf(object);
  const isPod = object.kind === 'Pod';
  const has = (tab: TabName): boolean => (tab === 'logs' ? logs !== undefined : tab !== 'files' || isPod);
  const tab: TabName = TABS.find((each) => each === asked && has(each)) ?? 'summary';
  return (
    <Tabs
      label="Views of the object"
      value={tab}
      onValue={(next) => go({ query: { tab: next } }, true)}
      tabs={[
        { value: 'summary', label: 'Summary', content: () => <Summary target={target} object={object} /> },
        ...(logs ? [{ value: 'logs' as const, label: 'Logs', content: () => <LogView target={logs} /> }] : []),
        ...(isPod ? [{ value: 'files' as const, label: 'Files', content: () => <FilesTab pod={object} /> }] : []),
        { value: 'yaml', label: 'YAML', content: () => <YamlTab object={object} /> },
        { value: 'events', label: 'Events', content: () => <EventsTab object={object} /> },
        { value: 'links', label: 'Links', content: () => <LinksTab target={target} object={object} /> },
        { value: 'history', label: 'History', content: () => <HistoryTab target={target} object={object} /> },
        { value: 'requests', label: 'Requests', content: () => <RequestsTab target={target} /> },
      ]}
    />
  );
}

function Summary({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  return (
    <>
      <BrokenOnPurpose target={target} object={object} />
      <SummaryTab object={object} />
    </>
  );
}
