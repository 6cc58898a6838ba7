import { Ellipsis, FilePen, Recycle, SquareChevronRight, Waypoints } from 'lucide-preact';
import { useEffect, type ReactNode } from 'preact/compat';
import type { ApiObject } from '../../../../schema/index.ts';
import { openEditor } from '../../../editor/drafts.ts';
import { IconButton, later, Menu, MenuItem, MenuLine } from '../../../parts/index.ts';
import { go } from '../../../stores/address.ts';
import { asNumber, at } from '../../../stores/jsonValues.ts';
import { useRefusal } from '../../../stores/permissions.ts';
import { formatRef, type ObjectRef } from '../../../stores/resources.ts';
import { ask, stopAsking, useAsked } from './asked.ts';
import { actionsFor, type Asking, type Doing, type ObjectAction } from './list.ts';

const DeleteDialog = later(() => import('../DeleteDialog.tsx'), null);
const ScaleDialog = later(async () => ({ default: (await import('../ScaleDialog.tsx')).ScaleDialog }), null);
const BreakDialog = later(() => import('./BreakDialog.tsx'), null);
const DrainDialog = later(() => import('./DrainDialog.tsx'), null);
const TaintDialog = later(() => import('./TaintDialog.tsx'), null);
const CommandsDialog = later(() => import('./CommandsDialog.tsx'), null);

/** What can be done with an object: a button to edit it, and a menu of everything. */
export function ActionMenu({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  const { uid } = object.metadata;
  const asking = useAsked((asked) => (asked.uid === uid ? asked.asking : undefined));
  const setAsking = (next: Asking | 'commands'): void => ask(object, next);
  // A dialog goes with its inspector, and does not come back with it.
  useEffect(() => () => stopAsking(uid), [uid]);
  const noUpdate = useRefusal('update', target);
  const edit = (): void => openEditor({ kind: 'edit', target });
  const doing = { target, object };
  const actions = actionsFor(doing);
  const items = (section: ObjectAction['section']): ReactNode =>
    actions
      .filter((action) => action.section === section)
      .map((action) => <ActionItem key={action.id} action={action} doing={doing} onAsk={setAsking} />);
  return (
    <>
      <IconButton icon={FilePen} label="Edit" keys="e" unavailable={noUpdate} onClick={edit} />
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label="Actions" />}>
        {items('look')}
        <MenuItem icon={FilePen} label="Edit" keys="e" unavailable={noUpdate} onSelect={edit} />
        {items('change')}
        <MenuItem
          icon={Waypoints}
          label="Follow this in the Glass"
          onSelect={() => go({ panel: 'glass', query: { follow: formatRef(target) } })}
        />
        <MenuItem
          icon={Recycle}
          label="Lifecycle"
          onSelect={() => go({ panel: 'lifecycle', query: { obj: formatRef(target) } })}
        />
        <MenuItem icon={SquareChevronRight} label="Commands that do the same" onSelect={() => setAsking('commands')} />
        <MenuLine />
        {items('end')}
      </Menu>
      <AskingDialog asking={asking} doing={doing} onClose={() => stopAsking(uid)} />
    </>
  );
}

interface ActionItemProps {
  readonly action: ObjectAction;
  readonly doing: Doing;
  readonly onAsk: (asking: Asking) => void;
}

function ActionItem({ action, doing, onAsk }: ActionItemProps) {
  const { start, wish, label, icon, danger } = action;
  const refusal = useRefusal(wish?.verb ?? '', wish && doing.target, wish?.subresource);
  const select = (): void => {
    if (typeof start === 'string') onAsk(start);
    else void start(doing);
  };
  return (
    <MenuItem
      icon={icon}
      label={label}
      {...(danger && { danger })}
      unavailable={action.unavailable?.(doing) ?? refusal}
      onSelect={select}
    />
  );
}

function AskingDialog({
  asking,
  doing,
  onClose,
}: {
  readonly asking: Asking | 'commands' | undefined;
  readonly doing: Doing;
  readonly onClose: () => void;
}) {
  const { target, object } = doing;
  if (asking === 'delete') return <DeleteDialog target={target} onClose={onClose} />;
  if (asking === 'scale')
    return <ScaleDialog target={target} replicas={asNumber(at(object, 'spec', 'replicas')) ?? 1} onClose={onClose} />;
  if (asking === 'break') return <BreakDialog target={target} object={object} onClose={onClose} />;
  if (asking === 'drain') return <DrainDialog target={target} onClose={onClose} />;
  if (asking === 'taint') return <TaintDialog target={target} object={object} onClose={onClose} />;
  if (asking === 'commands') return <CommandsDialog target={target} object={object} onClose={onClose} />;
  return null;
}
