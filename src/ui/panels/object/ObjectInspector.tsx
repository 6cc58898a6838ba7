import { Ellipsis, FilePen, Recycle, Scaling, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ApiObject } from '../../../schema/index.ts';
import { openEditor } from '../../editor/drafts.ts';
import { ErrorNote, IconButton, Menu, MenuItem, MenuLine, StateMark, Tabs } from '../../parts/index.ts';
import { InspectorHead } from '../../shell/InspectorHead.tsx';
import { Waiting } from '../../parts/Waiting.tsx';
import { go, useAddress } from '../../stores/address.ts';
import { asNumber, at } from '../../stores/jsonValues.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { useRefusal } from '../../stores/permissions.ts';
import { formatRef, parseRef, useResources, type ObjectRef } from '../../stores/resources.ts';
import DeleteDialog from './DeleteDialog.tsx';
import { EventsTab } from './EventsTab.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { LinksTab } from './LinksTab.tsx';
import { RequestsTab } from './RequestsTab.tsx';
import { ScaleDialog } from './ScaleDialog.tsx';
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
    </>
  );
  return (
    <>
      <InspectorHead kind={kind} name={name} actions={object && !gone && <Actions target={target} object={object} />} />
      {live.phase === 'refused' && (
        <ErrorNote title="The server does not show you this object.">{live.problem?.message}</ErrorNote>
      )}
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

const TABS = ['summary', 'yaml', 'events', 'links', 'history', 'requests'] as const;
type TabName = (typeof TABS)[number];

function ObjectTabs({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  const asked = useAddress((address) => address.query['tab']);
  const tab: TabName = TABS.find((each) => each === asked) ?? 'summary';
  return (
    <Tabs
      label="Views of the object"
      value={tab}
      onValue={(next) => go({ query: { tab: next } }, true)}
      tabs={[
        { value: 'summary', label: 'Summary', content: () => <SummaryTab object={object} /> },
        { value: 'yaml', label: 'YAML', content: () => <YamlTab object={object} /> },
        { value: 'events', label: 'Events', content: () => <EventsTab object={object} /> },
        { value: 'links', label: 'Links', content: () => <LinksTab target={target} object={object} /> },
        { value: 'history', label: 'History', content: () => <HistoryTab target={target} object={object} /> },
        { value: 'requests', label: 'Requests', content: () => <RequestsTab target={target} /> },
      ]}
    />
  );
}

function Actions({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  const [asking, setAsking] = useState<'delete' | 'scale'>();
  const close = (): void => setAsking(undefined);
  const noUpdate = useRefusal('update', target);
  const noDelete = useRefusal('delete', target);
  const noScale = useRefusal('patch', target, 'scale');
  const scales = target.resource.subresources.includes('scale');
  const replicas = asNumber(at(object, 'spec', 'replicas')) ?? 1;
  return (
    <>
      <IconButton
        icon={FilePen}
        label="Edit"
        keys="e"
        unavailable={noUpdate}
        onClick={() => openEditor({ kind: 'edit', target })}
      />
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label="Actions" />}>
        <MenuItem
          icon={FilePen}
          label="Edit"
          keys="e"
          unavailable={noUpdate}
          onSelect={() => openEditor({ kind: 'edit', target })}
        />
        {scales && <MenuItem icon={Scaling} label="Scale" unavailable={noScale} onSelect={() => setAsking('scale')} />}
        <MenuItem
          icon={Recycle}
          label="Lifecycle"
          onSelect={() => go({ panel: 'lifecycle', query: { obj: formatRef(target) } })}
        />
        <MenuLine />
        <MenuItem icon={Trash2} label="Delete" danger unavailable={noDelete} onSelect={() => setAsking('delete')} />
      </Menu>
      {asking === 'delete' && <DeleteDialog target={target} onClose={close} />}
      {asking === 'scale' && <ScaleDialog target={target} replicas={replicas} onClose={close} />}
    </>
  );
}
